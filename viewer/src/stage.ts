// SPDX-License-Identifier: MIT
// The three-dimensional view: bodies, witnesses, gap, normals, trails, ghosts, section, cameras.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { FEATURES, RESULT, type Body } from '../../wasm/src/core.js';
import type { Frame } from './data.js';
import { Cube, lookFrom } from './cube.js';
import { applyPose, Figure } from './figure.js';
import { Forces } from './forces.js';
import { Pace } from './pace.js';
import { kindOfRow, LOOK } from './state.js';

export interface Theme {
  background: number;
  ground: number;
  line: number;
  bodies: [number, number];
  witness: [number, number];
}

export const THEMES: Record<'light' | 'dark', Theme> = {
  light: { background: 0xf4f6f9, ground: 0xd6dce5, line: 0x27313f, bodies: [0x5b8fc7, 0xd9b36c], witness: [0x0b4f8a, 0x8a5a00] },
  dark: { background: 0x11161d, ground: 0x2a3340, line: 0xc9d4e3, bodies: [0x4f86c2, 0xb98f45], witness: [0x9fd0ff, 0xffd38a] },
};

export interface Shown {
  edges: boolean;
  normals: boolean;
  trails: boolean;
  ghosts: boolean;
  xray: boolean;
}

const UP = new THREE.Vector3(0, 0, 1);

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly controls: OrbitControls;
  readonly figures: (Figure | null)[] = [null, null];
  private readonly cube: Cube;
  private readonly pace: Pace;
  readonly forces: Forces;
  private readonly points: THREE.Mesh[] = [];
  private readonly gap: Line2;
  private readonly dashed: Line2;
  private readonly arrow: THREE.ArrowHelper;
  private readonly trails: THREE.Line[] = [];
  private ghosts = new THREE.Group();
  private readonly plane = new THREE.Plane(new THREE.Vector3(-1, 0, 0), 0);
  private dirty = true;
  private frame: Frame | null = null;
  readonly shown: Shown = { edges: true, normals: true, trails: true, ghosts: false, xray: false };
  /** Half the diagonal of what is shown, and its middle. */
  radius = 1;
  readonly middle = new THREE.Vector3();
  frames = 0;
  private fitted = false;
  private readonly box = new THREE.Box3();
  theme: Theme = THEMES.light;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.pace = new Pace();
    document.documentElement.classList.toggle('software', this.pace.software);
    // opaque: what lies behind need not be blended with it
    const context = canvas.getContext('webgl2', { alpha: false, antialias: !this.pace.software, stencil: false }) as WebGL2RenderingContext;
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.localClippingEnabled = true;
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
    this.camera.up.copy(UP);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.touch());
    this.controls.enableDamping = false;
    this.scene.add(this.ghosts);
    for (let i = 0; i < 2; i++) {
      const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), new THREE.MeshBasicMaterial({ depthTest: false }));
      ball.renderOrder = 20;
      this.points.push(ball);
      const trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.75 }));
      trail.renderOrder = 15;
      trail.frustumCulled = false;
      this.trails.push(trail);
    }
    const line = (dashed: boolean): Line2 => {
      // from 0 to 1 along z; placed, turned and stretched to where it is wanted
      const l = new Line2(new LineGeometry().setPositions([0, 0, 0, 0, 0, 1]), new LineMaterial({ linewidth: 3.5, dashed, dashSize: 1, gapSize: 1, depthTest: false, transparent: true }));
      l.computeLineDistances();
      l.renderOrder = 18;
      l.frustumCulled = false;
      return l;
    };
    this.gap = line(false);
    this.dashed = line(true);
    this.arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1);
    for (const o of [this.arrow.line, this.arrow.cone]) {
      (o.material as THREE.Material).depthTest = false;
      o.renderOrder = 16;
    }
    this.forces = new Forces(() => this.touch());
    this.scene.add(...this.points, ...this.trails, this.gap, this.dashed, this.arrow, this.forces.group);
    this.cube = new Cube(canvas.parentElement!, (d) => this.direct(d));
    this.marks(false);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  /** Something changed: draw at the next chance. */
  touch(): void {
    this.dirty = true;
  }

  private marks(on: boolean): void {
    for (const o of [...this.points, this.gap, this.dashed, this.arrow]) o.visible = on;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(theme.background);
    this.figures.forEach((f, i) => f?.recolor(theme.bodies[i]!, theme.line));
    this.points.forEach((p, i) => (p.material as THREE.MeshBasicMaterial).color.set(theme.witness[i]!));
    this.trails.forEach((p, i) => (p.material as THREE.LineBasicMaterial).color.set(theme.witness[i]!));
    this.cube.setTheme(theme);
    this.touch();
  }

  /** `poses`: all the poses that will be seen, for the size of the view. */
  setBodies(bodies: (Body | null)[], poses: ArrayLike<number>[][]): void {
    for (const f of this.figures) {
      if (!f) continue;
      this.scene.remove(f.group);
      f.dispose();
    }
    const size = Math.max(...bodies.map((b) => (b && !b.unbounded ? b.size : 0)), 1e-9);
    const box = this.box.makeEmpty();
    bodies.forEach((b, i) => {
      this.figures[i] = b ? new Figure(b, this.theme.bodies[i]!, this.theme.line, 1.5 * size, this.pace.software) : null;
      const f = this.figures[i];
      if (f) this.scene.add(f.group);
      for (const pose of poses[i] ?? []) {
        const at = new THREE.Vector3(pose[0], pose[1], pose[2]);
        if (!b) box.expandByPoint(at);
        else if (!b.unbounded) {
          const own = new THREE.Box3(new THREE.Vector3(...b.box.lo), new THREE.Vector3(...b.box.hi));
          const q = new THREE.Quaternion(pose[4], pose[5], pose[6], pose[3]);
          box.union(own.applyMatrix4(new THREE.Matrix4().compose(at, q, new THREE.Vector3(1, 1, 1))));
        }
      }
    });
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    box.getCenter(this.middle);
    this.radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-9);
    this.forces.setScale(this.radius);
    this.apply();
    this.fit();
  }

  apply(): void {
    for (const f of this.figures) {
      if (!f) continue;
      f.transparent(this.shown.xray);
      (f.group.children[0] as THREE.Group).children[1]!.visible = this.shown.edges;
    }
    for (const t of this.trails) t.visible = this.shown.trails;
    this.ghosts.visible = this.shown.ghosts;
    this.touch();
  }

  // ---- what moves

  show(frame: Frame): void {
    this.frame = frame;
    const row = frame.row;
    [frame.poseA, frame.poseB].forEach((pose, i) => {
      const f = this.figures[i];
      if (!f) return;
      applyPose(f.group, pose);
      const at = i ? RESULT.b : RESULT.a;
      f.highlight(FEATURES[row[at]!] ?? 'point', row[at + 1]!);
    });
    const kind = kindOfRow(row);
    const a = new THREE.Vector3(row[RESULT.a + 4], row[RESULT.a + 5], row[RESULT.a + 6]);
    const b = new THREE.Vector3(row[RESULT.b + 4], row[RESULT.b + 5], row[RESULT.b + 6]);
    const n = new THREE.Vector3(row[RESULT.normal], row[RESULT.normal + 1], row[RESULT.normal + 2]);
    this.marks(true);
    this.points[0]!.position.copy(a);
    this.points[1]!.position.copy(b);
    const line = kind === 'certified' || kind === 'overlapping' ? this.gap : this.dashed;
    this.gap.visible = this.dashed.visible = false;
    if (a.distanceTo(b) > 1e-12 * this.radius) {
      line.visible = true;
      const way = b.clone().sub(a);
      line.position.copy(a);
      line.scale.set(1, 1, way.length());
      line.quaternion.setFromUnitVectors(UP, way.normalize());
      line.material.color.set(LOOK[kind].color);
      line.material.linewidth = kind === 'overlapping' ? 6 : 3.5;
      line.material.dashScale = line.scale.z;
    }
    this.arrow.visible = this.shown.normals && n.lengthSq() > 0.5;
    if (this.arrow.visible) {
      this.arrow.position.copy(a);
      this.arrow.setDirection(n);
      this.arrow.setColor(LOOK[kind].color);
    }
    this.forces.show(frame.force, b);
    this.touch();
  }

  setTrails(a: Float32Array, b: Float32Array): void {
    [a, b].forEach((points, i) => {
      const t = this.trails[i]!;
      const now = t.geometry.getAttribute('position') as THREE.BufferAttribute | undefined;
      if (now?.array === points) now.needsUpdate = true;
      else {
        t.geometry.dispose();
        t.geometry = new THREE.BufferGeometry();
        t.geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
      }
      t.geometry.setDrawRange(0, points.length / 3);
    });
    this.touch();
  }

  trailTo(from: number, to: number): void {
    for (const t of this.trails) t.geometry.setDrawRange(from, Math.max(0, to - from));
  }

  setGhosts(poses: ArrayLike<number>[][]): void {
    this.scene.remove(this.ghosts);
    this.ghosts = new THREE.Group();
    this.ghosts.visible = this.shown.ghosts;
    poses.forEach((list, i) => {
      const f = this.figures[i];
      const moves = list.some((p) => Array.from(p).some((x, k) => Math.abs(x - list[0]![k]!) > 1e-9 * this.radius));
      if (!f || !moves) return;
      for (const pose of list) {
        const g = f.ghost(0.1);
        applyPose(g, pose);
        this.ghosts.add(g);
      }
    });
    this.scene.add(this.ghosts);
    this.touch();
  }

  // ---- cameras

  private distanceFor(radius: number): number {
    const c = this.camera;
    if (c instanceof THREE.OrthographicCamera) return 4 * radius;
    const half = Math.atan(Math.tan((c.fov * Math.PI) / 360) * Math.min(1, c.aspect));
    return radius / Math.sin(half);
  }

  /** The least radius of a ball about the middle that the view has to take in, seen along d: of the corners of the box. */
  private spread(d: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(UP, d);
    if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
    right.normalize();
    const up = new THREE.Vector3().crossVectors(d, right);
    const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    let most = 0;
    for (let i = 0; i < 8; i++) {
      const p = new THREE.Vector3(i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y, i & 4 ? this.box.max.z : this.box.min.z).sub(this.middle);
      most = Math.max(most, Math.abs(p.dot(up)) * Math.min(1, aspect) + 0.25 * p.dot(d), (Math.abs(p.dot(right)) / aspect) * Math.min(1, aspect) + 0.25 * p.dot(d));
    }
    return Math.min(this.radius, 1.12 * most);
  }

  private look(target: THREE.Vector3, radius: number, direction?: THREE.Vector3): void {
    const d = direction ?? this.camera.position.clone().sub(this.controls.target);
    if (d.lengthSq() < 1e-30) d.set(1, -1.6, 0.9);
    d.normalize();
    const away = this.distanceFor(radius);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(d, away);
    if (this.camera instanceof THREE.OrthographicCamera) this.frustum(radius);
    this.camera.near = away / 1000;
    this.camera.far = away + 40 * this.radius;
    this.camera.zoom = 1;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.touch();
  }

  fit(): void {
    const d = this.fitted ? this.camera.position.clone().sub(this.controls.target) : this.figures.some((f) => f?.body.planar) ? new THREE.Vector3(0, -1e-3, 1) : new THREE.Vector3(1, -1.6, 0.9);
    if (d.lengthSq() < 1e-30) d.set(1, -1.6, 0.9);
    this.fitted = true;
    this.look(this.middle, this.spread(d.clone().normalize()), d);
  }

  /** Close to the pair, with room around it. */
  zoomToGap(): void {
    if (!this.frame) return;
    const r = this.frame.row;
    const a = new THREE.Vector3(r[RESULT.a + 4], r[RESULT.a + 5], r[RESULT.a + 6]);
    const b = new THREE.Vector3(r[RESULT.b + 4], r[RESULT.b + 5], r[RESULT.b + 6]);
    this.look(a.clone().add(b).multiplyScalar(0.5), Math.max(1.2 * a.distanceTo(b), 0.06 * this.radius));
  }

  direct(direction: THREE.Vector3): void {
    const radius = this.camera instanceof THREE.OrthographicCamera
      ? (this.camera.top / this.camera.zoom) : this.camera.position.distanceTo(this.controls.target) / this.distanceFor(1);
    this.look(this.controls.target.clone(), radius, direction);
  }

  /** The view along an axis, from its positive or its negative end. */
  along(axis: number, sign: number): void {
    this.direct(lookFrom(new THREE.Vector3().setComponent(axis, sign)));
  }

  private frustum(radius: number): void {
    const c = this.camera as THREE.OrthographicCamera;
    const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    const h = radius / Math.min(1, aspect);
    [c.left, c.right, c.top, c.bottom] = [-h * aspect, h * aspect, h, -h];
  }

  get orthographic(): boolean {
    return this.camera instanceof THREE.OrthographicCamera;
  }

  setOrthographic(on: boolean): void {
    if (on === this.orthographic) return;
    const old = this.camera;
    const d = old.position.clone().sub(this.controls.target);
    const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    const radius = on ? d.length() / this.distanceFor(1) : (old as THREE.OrthographicCamera).top * Math.min(1, aspect) / old.zoom;
    this.camera = on ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(35, aspect, 0.01, 1000);
    this.camera.up.copy(UP);
    this.camera.position.copy(old.position);
    this.controls.object = this.camera;
    this.look(this.controls.target.clone(), radius, d);
  }

  /** Axis 0 to 2 with its place from 0 to 1; -1: no section. */
  setSection(axis: number, at: number): void {
    const normal = new THREE.Vector3();
    if (axis >= 0) normal.setComponent(axis, -1);
    this.plane.set(normal, axis >= 0 ? this.middle.getComponent(axis) + (2 * at - 1) * this.radius : 0);
    for (const f of this.figures) f?.clip(axis >= 0 ? [this.plane] : []);
    this.touch();
  }

  // ---- drawing

  private resize(): void {
    const box = this.canvas.parentElement!.getBoundingClientRect();
    const w = Math.max(1, Math.floor(box.width));
    const h = Math.max(1, Math.floor(box.height));
    this.renderer.setSize(w, h, false);
    if (this.camera instanceof THREE.PerspectiveCamera) this.camera.aspect = w / h;
    else this.frustum(this.camera.top * Math.min(1, w / h));
    this.camera.updateProjectionMatrix();
    for (const l of [this.gap, this.dashed]) l.material.resolution.set(w, h);
    this.touch();
  }

  /** Pixels to lengths at a place. */
  private perPixel(at: THREE.Vector3): number {
    const h = Math.max(1, this.canvas.clientHeight);
    const c = this.camera;
    if (c instanceof THREE.OrthographicCamera) return (c.top - c.bottom) / c.zoom / h;
    return (2 * Math.tan((c.fov * Math.PI) / 360) * c.position.distanceTo(at)) / h;
  }

  /** True if it drew a picture of something new. Time in milliseconds. */
  draw(now: number): boolean {
    const fresh = this.dirty;
    const ratio = this.pace.ratio(now, fresh);
    if (ratio === null) return false;
    this.dirty = false;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    for (const p of this.points) p.scale.setScalar(5 * this.perPixel(p.position));
    const unit = this.perPixel(this.arrow.position);
    this.arrow.setLength(46 * unit, 14 * unit, 9 * unit);
    this.dashed.material.dashSize = 9 * unit;
    this.dashed.material.gapSize = 7 * unit;
    this.forces.scale((at) => this.perPixel(at));
    this.renderer.render(this.scene, this.camera);
    this.cube.draw(this.camera);
    if (fresh) this.frames++;
    return fresh;
  }
}
