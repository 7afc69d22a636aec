// SPDX-License-Identifier: MIT
// A body in the view: faces, edges, what is lit up of it, its ghosts.
import * as THREE from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Body, Mesh } from '../../wasm/src/core.js';
import { Shade } from './shade.js';

export function applyPose(to: THREE.Object3D, pose: ArrayLike<number>): void {
  to.position.set(pose[0]!, pose[1]!, pose[2]!);
  to.quaternion.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!);
}

/** A body with its faces, edges and vertices, and what is highlighted of it. */
export class Figure {
  readonly group = new THREE.Group();
  readonly mesh: Mesh;
  private readonly geometry = new THREE.BufferGeometry();
  readonly surface: THREE.Mesh<THREE.BufferGeometry, Shade>;
  private readonly lines: THREE.LineSegments;
  private readonly glow: THREE.Mesh<THREE.BufferGeometry, Shade>;
  private readonly active: Line2;
  private shown = '';
  private painted: THREE.Mesh | null = null;

  /** `coarse`: fewer triangles, where every corner is worked out without a graphics card. */
  constructor(readonly body: Body, private color: number, line: number, extent: number, coarse: boolean) {
    this.mesh = body.mesh(coarse ? { extent, chord: 1e-3 * (body.size > 0 && Number.isFinite(body.size) ? body.size : 1), angle: 0.25 } : { extent });
    const m = this.mesh;
    this.geometry.setAttribute('position', new THREE.BufferAttribute(m.positions, 3));
    this.geometry.setAttribute('normal', new THREE.BufferAttribute(m.normals, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(m.triangles, 1));
    this.surface = new THREE.Mesh(this.geometry, new Shade(color, { back: true }));
    const centred = new THREE.Group();
    centred.position.set(...m.centre);
    this.lines = new THREE.LineSegments(this.edgeGeometry(), new THREE.LineBasicMaterial({ color: body.planar ? color : line }));
    const glowing = new THREE.BufferGeometry();
    glowing.setAttribute('position', this.geometry.getAttribute('position'));
    glowing.setAttribute('normal', this.geometry.getAttribute('normal'));
    this.glow = new THREE.Mesh(glowing, new Shade(this.bright()));
    this.glow.visible = false;
    this.active = new Line2(new LineGeometry(), new LineMaterial({ color: this.bright(), linewidth: 4 }));
    this.active.visible = false;
    centred.add(this.surface, this.lines, this.glow, this.active);
    this.group.add(centred);
  }

  private bright(): THREE.Color {
    return new THREE.Color(this.color).offsetHSL(0, 0.14, 0.16);
  }

  private edgeGeometry(): THREE.BufferGeometry {
    const { lines, edges } = this.mesh;
    const out: number[] = [];
    for (let e = 0; e + 1 < edges.length; e++)
      for (let i = edges[e]!; i + 1 < edges[e + 1]!; i++) out.push(i, i + 1);
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(lines, 3));
    g.setIndex(out);
    return g;
  }

  recolor(color: number, line: number): void {
    this.color = color;
    this.surface.material.paint(color);
    (this.lines.material as THREE.LineBasicMaterial).color.set(this.body.planar ? color : line);
    this.glow.material.paint(this.bright());
    this.active.material.color.set(this.bright());
  }

  clip(planes: THREE.Plane[]): void {
    for (const o of [this.surface, this.lines, this.glow]) (o.material as THREE.Material).clippingPlanes = planes;
  }

  transparent(on: boolean): void {
    this.surface.material.see(on ? 0.45 : 1);
  }

  /** Marks the feature that carries the witness. */
  highlight(kind: string, id: number): void {
    const key = `${kind} ${id}`;
    if (key === this.shown) return;
    this.shown = key;
    this.glow.visible = this.active.visible = false;
    const m = this.mesh;
    if (kind === 'face' && id + 1 < m.faces.length) {
      // a body of one face would be lit as a whole: that tells nothing
      const part = m.triangles.subarray(3 * m.faces[id]!, 3 * m.faces[id + 1]!);
      this.glow.geometry.setIndex(new THREE.BufferAttribute(part.slice(), 1));
      this.glow.visible = m.faces.length > 2;
    } else if (kind === 'edge' && id + 1 < m.edges.length) {
      const part = m.lines.subarray(3 * m.edges[id]!, 3 * m.edges[id + 1]!);
      this.active.geometry.dispose();
      this.active.geometry = new LineGeometry();
      this.active.geometry.setPositions(Array.from(part));
      this.active.visible = part.length > 3;
    }
  }

  /** Paints a face: a colour for each cell of its parameter box; null: no paint. */
  paint(face: number, cells: number, colors: Uint8Array | null, box: ArrayLike<number>): void {
    this.painted?.removeFromParent();
    this.painted = null;
    if (!colors) return;
    const m = this.mesh;
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', this.geometry.getAttribute('position'));
    g.setAttribute('normal', this.geometry.getAttribute('normal'));
    const uv = m.parameters.map((x, i) => (x - box[2 * (i % 2)]!) / (box[2 * (i % 2) + 1]! - box[2 * (i % 2)]!));
    g.setAttribute('uv', new THREE.BufferAttribute(uv, 2));
    g.setIndex(new THREE.BufferAttribute(m.triangles.slice(3 * m.faces[face]!, 3 * m.faces[face + 1]!), 1));
    const map = new THREE.DataTexture(colors, cells, cells);
    map.needsUpdate = true;
    this.painted = new THREE.Mesh(g, new Shade(0xffffff, { map }));
    this.group.children[0]!.add(this.painted);
  }

  /** The same shape again, as a ghost. */
  ghost(opacity: number): THREE.Object3D {
    const g = new THREE.Group();
    const centred = new THREE.Group();
    centred.position.set(...this.mesh.centre);
    const lines = new THREE.LineBasicMaterial({ color: this.color, transparent: true, opacity: Math.min(1, 2.5 * opacity) });
    centred.add(new THREE.Mesh(this.geometry, new Shade(this.color, { opacity })), new THREE.LineSegments(this.lines.geometry, lines));
    g.add(centred);
    return g;
  }

  dispose(): void {
    for (const o of [this.surface, this.lines, this.glow, this.active]) {
      o.geometry.dispose();
      (o.material as THREE.Material).dispose();
    }
  }
}
