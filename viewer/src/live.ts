// SPDX-License-Identifier: MIT
// Live and haptic mode: the user moves a body or a point, the tracker follows in the worker.
import * as THREE from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import { INTEGRATORS, LAWS, RESULT, type Body, type Integrator, type Law, type ToolOptions, type TrackOptions } from '../../wasm/src/core.js';
import type { Frame } from './data.js';
import { button, choice, el, logSlider, toggle } from './dom.js';
import type { BasinAsk, Frames, FromWorker, LiveMode, SideText, ToWorker } from './protocol.js';
import type { Stage } from './stage.js';
import { Strip } from './strip.js';
import { digits, kindOfRow } from './state.js';

const FLOWS = new Set<string>(['linearizing', 'switching', 'motion_aware', 'feed_forward']);
const TRAIL = 1500;

export class Live {
  readonly card: HTMLElement;
  readonly bottom: HTMLElement;
  readonly strip = new Strip();
  private readonly worker: Worker;
  private readonly gizmo: TransformControls;
  private readonly helper: THREE.Object3D;
  private readonly handle = new THREE.Object3D();
  private readonly message = el('p', { class: 'message', id: 'live-message', role: 'status' });
  private readonly numbers = el('dl');
  private readonly cells = new Map<string, HTMLElement>();
  private readonly settings = el('div');
  private readonly recordButton: HTMLButtonElement;
  mode: LiveMode = 'track';
  active = false;
  private bodies: [Body | null, Body | null] = [null, null];
  private moving: 0 | 1 = 1;
  private start: [number[], number[]] = [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]];
  private options: TrackOptions = { law: 'deadbeat' };
  private readonly tool: ToolOptions = { coupler: 500, deviceDamping: 1, contact: 1000, mass: 0.1 };
  private anyway = false;
  private latest: Frames | null = null;
  private seen: Frames | null = null;
  private trail: [Float32Array, Float32Array] = [new Float32Array(3 * TRAIL), new Float32Array(3 * TRAIL)];
  private trailCount = 0;
  private recording = false;
  private drawn = 0;
  private basinDone: ((m: FromWorker & { type: 'basin' }) => void) | null = null;
  private moved = false;

  constructor(private readonly stage: Stage, private readonly shown: (f: Frame) => void, private readonly saved: (times: Float64Array, poses: Float64Array, moving: 0 | 1) => void) {
    this.worker = new Worker(URL.createObjectURL(new Blob([WORKER_SOURCE], { type: 'text/javascript' })));
    this.worker.onmessage = (e: MessageEvent<FromWorker>) => this.hear(e.data);
    this.gizmo = new TransformControls(stage.camera, stage.canvas);
    this.gizmo.setSize(0.85);
    this.gizmo.attach(this.handle);
    this.helper = this.gizmo.getHelper();
    this.helper.visible = false;
    this.gizmo.enabled = false;
    stage.scene.add(this.handle, this.helper);
    this.gizmo.addEventListener('change', () => stage.touch());
    this.gizmo.addEventListener('dragging-changed', (e) => (stage.controls.enabled = !e.value));
    this.gizmo.addEventListener('objectChange', () => this.send());
    this.dragDirectly();
    this.recordButton = button('● Record', 'Record the motion; then it is played back and can be saved', () => this.toggleRecord(), { 'aria-pressed': 'false', id: 'record' });
    this.card = el('section', { class: 'card', 'aria-label': 'Live' }, el('h2', {}, 'Live'), this.settings, this.message, this.numbers);
    this.bottom = el('section', { class: 'time', 'aria-label': 'The last seconds' },
      el('div', { class: 'transport' },
        button('Move', 'Handles that move (m)', () => this.gizmo.setMode('translate'), { id: 'translate' }),
        button('Turn', 'Handles that turn (r)', () => this.gizmo.setMode('rotate'), { id: 'rotate' }),
        button('Reset', 'Back to where it was', () => this.reset(), { id: 'reset' }), this.recordButton,
        el('span', { class: 'why' }, 'Drag the tool or its handles; arrows and Page keys move it, with Shift they turn it.')),
      this.strip.canvas);
  }

  private say(m: ToWorker, move: Transferable[] = []): void {
    this.worker.postMessage(m, move);
  }

  /** What is moved against what. */
  load(wasm: Uint8Array, texts: string[], sides: [SideText, SideText], bodies: [Body | null, Body | null], poses: [number[], number[]]): void {
    const copy = wasm.slice().buffer;
    this.bodies = bodies;
    this.start = poses;
    this.moving = 1;
    // what moved in a recording is what the hand takes: the smaller of two bodies, the point
    if (bodies[0] && bodies[1] && bodies[0].size < bodies[1].size && !bodies[0].unbounded) this.moving = 0;
    const size = Math.min(...bodies.map((b) => (b && !b.unbounded ? b.size : Infinity)));
    this.tool.inertia = (0.1 * Math.min(size, 1e6) ** 2) / 20;
    this.say({ type: 'init', wasm: copy, models: texts, sides }, [copy]);
  }

  enter(mode: LiveMode): void {
    this.mode = mode;
    this.active = true;
    this.helper.visible = this.gizmo.enabled = true;
    this.strip.set(mode === 'haptic');
    this.showSettings();
    this.restart();
  }

  leave(): void {
    this.active = false;
    this.helper.visible = this.gizmo.enabled = false;
    this.say({ type: 'stop' });
    this.stage.touch();
  }

  private reset(): void {
    this.latest = null;
    this.restart();
  }

  private restart(): void {
    const poses: [number[], number[]] = [[...this.start[0]], [...this.start[1]]];
    if (this.latest) poses[this.moving] = this.pose();
    else this.setHandle(poses[this.moving]);
    this.trailCount = 0;
    this.seen = null;
    this.message.textContent = '';
    this.message.className = 'message';
    const hand = { stiffness: 300, damping: 2, mass: 0.1, deviceDamping: this.tool.deviceDamping ?? 1 };
    this.say({ type: 'start', start: { mode: this.mode, moving: this.moving, poses, options: this.options, tool: { ...this.tool, allowUnstable: this.anyway }, hand, rate: 1000 } });
  }

  // ---- settings

  private showSettings(): void {
    const names: [string, string][] = [];
    if (this.bodies[0]) names.push(['0', 'a']);
    names.push(['1', this.bodies[1] ? 'b' : 'the point']);
    if (this.mode === 'haptic') {
      this.settings.replaceChildren(
        logSlider('Coupler', 10, 1e6, this.tool.coupler!, (x) => `${digits(x, 3)}`, (x) => this.change(() => (this.tool.coupler = x)), 'coupler'),
        logSlider('Device damping', 0.01, 20, this.tool.deviceDamping!, (x) => `${digits(x, 3)}`, (x) => this.change(() => (this.tool.deviceDamping = x)), 'damping'),
        toggle('Push on although it is not passive', this.anyway, (on) => this.change(() => (this.anyway = on))));
      return;
    }
    const law = String(this.options.law ?? 'deadbeat');
    const flow = FLOWS.has(law) || law === 'exponential';
    this.settings.replaceChildren(
      names.length > 1 ? choice('Move', names, String(this.moving), (v) => {
        this.moving = Number(v) as 0 | 1;
        this.latest = null;
        this.restart();
      }, 'moving') : el('span'),
      choice('Law', LAWS.map((l) => [l, l.replace(/_/g, ' ')]), law, (v) => {
        this.options = { law: v as Law };
        if (FLOWS.has(v)) this.options.gain = 100;
        this.showSettings();
        this.restart();
      }, 'law'),
      flow ? choice('Integrator', INTEGRATORS.map((l) => [l, l.replace(/_/g, ' ')]), String(this.options.integrator ?? 'default'),
        (v) => this.change(() => (this.options.integrator = v as Integrator)), 'integrator') : el('span'),
      FLOWS.has(law) ? logSlider('Gain', 1, 1e4, Number(this.options.gain ?? 100), (x) => `${digits(x, 3)} /s`,
        (x) => this.change(() => (this.options.gain = x)), 'gain') : el('span'),
      logSlider('Budget', 64, 1e6, this.options.budget ?? 1e5, (x) => `${Math.round(x)}`, (x) => this.change(() => (this.options.budget = Math.round(x))), 'budget'),
      FLOWS.has(law) ? el('p', { class: 'why' }, 'With rk2 at 1 kHz a gain above 2000 /s chatters; a low gain lags behind the motion.') : el('span'));
  }

  private change(set: () => void): void {
    set();
    this.restart();
  }

  // ---- the hand

  private pose(): number[] {
    const { position: p, quaternion: q } = this.handle;
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  private setHandle(pose: number[]): void {
    this.handle.position.set(pose[0]!, pose[1]!, pose[2]!);
    this.handle.quaternion.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!);
    this.gizmo.camera = this.stage.camera;
    this.stage.touch();
  }

  private send(): void {
    if (this.active) this.say({ type: 'target', pose: this.pose() });
  }

  /** The tool under the pointer goes with it, in the plane of the view. */
  private dragDirectly(): void {
    const canvas = this.stage.canvas;
    const ray = new THREE.Raycaster();
    const at = new THREE.Vector2();
    const plane = new THREE.Plane();
    const grip = new THREE.Vector3();
    let dragging = false;
    const aim = (e: PointerEvent): void => {
      const box = canvas.getBoundingClientRect();
      at.set((2 * (e.clientX - box.left)) / box.width - 1, 1 - (2 * (e.clientY - box.top)) / box.height);
      ray.setFromCamera(at, this.stage.camera);
    };
    const hit = (): THREE.Vector3 | null => {
      const figure = this.stage.figures[this.moving];
      if (figure) return ray.intersectObject(figure.surface)[0]?.point ?? null;
      const seen = this.handle.position.clone().project(this.stage.camera);
      const px = Math.hypot(((seen.x - at.x) * canvas.clientWidth) / 2, ((seen.y - at.y) * canvas.clientHeight) / 2);
      return px < 14 ? this.handle.position.clone() : null;
    };
    canvas.addEventListener('pointerdown', (e) => {
      if (!this.active || e.button !== 0 || this.gizmo.axis) return;
      aim(e);
      const found = hit();
      if (!found) return;
      dragging = true;
      this.stage.controls.enabled = false;
      plane.setFromNormalAndCoplanarPoint(this.stage.camera.getWorldDirection(new THREE.Vector3()), found);
      grip.copy(found).sub(this.handle.position);
      canvas.setPointerCapture(e.pointerId);
      e.stopImmediatePropagation();
    }, { capture: true });
    canvas.addEventListener('pointermove', (e) => {
      if (!dragging) return;
      aim(e);
      const p = ray.ray.intersectPlane(plane, new THREE.Vector3());
      if (p) this.handle.position.copy(p.sub(grip));
      this.send();
    }, { capture: true });
    const end = (): void => {
      if (dragging) this.stage.controls.enabled = true;
      dragging = false;
    };
    canvas.addEventListener('pointerup', end, { capture: true });
    canvas.addEventListener('pointercancel', end, { capture: true });
  }

  /** Where on the canvas the middle of the tool is, in pixels. */
  toolOnScreen(): { x: number; y: number } {
    const figure = this.stage.figures[this.moving];
    const at = figure ? new THREE.Vector3(...figure.mesh.centre).applyQuaternion(figure.group.quaternion).add(figure.group.position) : this.handle.position.clone();
    at.project(this.stage.camera);
    return { x: ((at.x + 1) / 2) * this.stage.canvas.clientWidth, y: ((1 - at.y) / 2) * this.stage.canvas.clientHeight };
  }

  /** Keys: along the axes of the view, or about them. */
  nudge(key: string, turn: boolean): boolean {
    const table: Record<string, [number, number, number]> = {
      ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1],
    };
    const way = table[key];
    if (!way || !this.active) return false;
    const axis = new THREE.Vector3(...way).applyQuaternion(this.stage.camera.quaternion);
    if (turn) this.handle.quaternion.premultiply(new THREE.Quaternion().setFromAxisAngle(axis, 0.04));
    else this.handle.position.addScaledVector(axis, 0.012 * this.stage.radius);
    this.send();
    this.stage.touch();
    return true;
  }

  setGizmo(mode: 'translate' | 'rotate'): void {
    this.gizmo.setMode(mode);
  }

  // ---- what comes back

  private hear(m: FromWorker): void {
    if (m.type === 'frames') {
      if (!this.active) return;
      this.latest = m;
      this.strip.add(m.history);
      this.keepTrail(m);
      this.moved = true;
    } else if (m.type === 'refused' || m.type === 'unstable') {
      this.message.className = 'message bad';
      this.message.textContent = m.text;
      this.message.scrollIntoView({ block: 'nearest' });
    } else if (m.type === 'recording') this.saved(m.times, m.poses, this.moving);
    else if (m.type === 'basin') this.basinDone?.(m);
  }

  private keepTrail(m: Frames): void {
    const at = 3 * (this.trailCount - 1);
    if (this.trailCount && [0, 1].every((side) => [0, 1, 2].every((i) => this.trail[side as 0 | 1][at + i] === Math.fround(m.row[7 + 7 * side + 4 + i]!)))) return;
    if (this.trailCount === TRAIL) {
      for (const t of this.trail) t.copyWithin(0, 3);
      this.trailCount--;
    }
    for (let side = 0; side < 2; side++)
      for (let i = 0; i < 3; i++) this.trail[side as 0 | 1][3 * this.trailCount + i] = m.row[7 + 7 * side + 4 + i]!;
    this.trailCount++;
  }

  private toggleRecord(): void {
    this.recording = !this.recording;
    this.recordButton.setAttribute('aria-pressed', String(this.recording));
    this.recordButton.textContent = this.recording ? '■ Stop' : '● Record';
    this.say({ type: 'record', on: this.recording });
  }

  /** In every picture. */
  tick(now: number): void {
    if (!this.active || !this.latest || !this.moved) return;
    this.moved = false;
    const m = this.latest;
    const frame: Frame = { time: 0, row: m.row, poseA: m.poses[0], poseB: m.poses[1], force: m.force };
    if (this.differs(m)) {
      this.seen = m;
      this.stage.show(frame);
      this.stage.setTrails(this.trail[0], this.trail[1]);
      this.stage.trailTo(0, this.trailCount);
    }
    this.shown(frame);
    if (now - this.drawn < 120) return;
    this.drawn = now;
    this.strip.draw();
    this.put('steps', `${m.steps}`, 'steps');
    this.put('missed', `${m.missed}`, 'missed');
    this.put('time of a step', `${digits(m.micros, 3)} µs`, 'micros');
    this.put('certified', `${Math.round(100 * this.strip.certified())} % of the last seconds`, 'certified');
  }

  /** What stands still, as far as one sees, is not drawn again. */
  private differs(m: Frames): boolean {
    const s = this.seen;
    if (!s || (s.force === null) !== (m.force === null)) return true;
    const near = 1e-5 * this.stage.radius;
    const moved = (a: ArrayLike<number>, b: ArrayLike<number>, from: number, to: number, within: number): boolean => {
      for (let i = from; i < to; i++) if (Math.abs(a[i]! - b[i]!) > within) return true;
      return false;
    };
    for (const i of [0, 1] as const) {
      const at = i ? RESULT.b : RESULT.a;
      if (moved(s.poses[i], m.poses[i], 0, 3, near) || moved(s.poses[i], m.poses[i], 3, 7, 1e-5)) return true;
      if (moved(s.row, m.row, at, at + 2, 0) || moved(s.row, m.row, at + 4, at + 7, near)) return true;
    }
    if (kindOfRow(s.row) !== kindOfRow(m.row) || moved(s.row, m.row, RESULT.normal, RESULT.normal + 3, 1e-4)) return true;
    return s.force !== null && (moved(s.force, m.force!, 3, 6, near) || moved(s.force, m.force!, 0, 3, 1e-3 * (1e-9 + Math.hypot(s.force[0]!, s.force[1]!, s.force[2]!))));
  }

  private put(name: string, text: string, id: string): void {
    let cell = this.cells.get(id);
    if (!cell) {
      cell = el('dd', { id });
      this.cells.set(id, cell);
      this.numbers.append(el('dt', {}, name), cell);
    }
    if (cell.textContent !== text) cell.textContent = text;
  }

  basin(ask: BasinAsk): Promise<FromWorker & { type: 'basin' }> {
    this.say({ type: 'basin', ask });
    return new Promise((done) => (this.basinDone = done));
  }
}
