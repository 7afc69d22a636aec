// SPDX-License-Identifier: MIT
// A recorded run: the slider, the charts, the hand-overs.
import { FEATURES, RESULT } from '../../wasm/src/core.js';
import type { Frame, Run } from './data.js';
import { Charts, Lanes, bandsOf, type ChartDef, type Ink } from './charts.js';
import { button, choice, el } from './dom.js';
import type { Stage } from './stage.js';
import { digits, kindOf, LOOK } from './state.js';

const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const SPEEDS: [string, string][] = [['0.1', '0.1×'], ['0.25', '0.25×'], ['0.5', '0.5×'], ['1', '1×'], ['2', '2×'], ['5', '5×'], ['10', '10×']];

export class Replay {
  readonly root: HTMLElement;
  readonly events: HTMLElement;
  private readonly slider = el('input', { type: 'range', min: 0, max: 0, step: 1, value: 0, id: 'frame', 'aria-label': 'Frame' });
  private readonly clock = el('output', { id: 'clock' }, '');
  private readonly play: HTMLButtonElement;
  private readonly list = el('ol', { class: 'events' });
  private readonly charts: Charts;
  private readonly lanes: Lanes;
  private run: Run | null = null;
  private at = 0;
  private playing = false;
  private before = 0;
  private time = 0;
  private speed = 1;
  private ink: Ink = { text: '#000', grid: '#ccc', cursor: '#000' };

  constructor(private readonly stage: Stage, private readonly shown: (f: Frame) => void) {
    this.play = button('▶ Play', 'Play or pause (space)', () => this.toggle(), { id: 'play', 'aria-pressed': 'false' });
    this.slider.addEventListener('input', () => {
      this.pause();
      this.go(Number(this.slider.value));
    });
    const plots = el('div', { class: 'plots' });
    const lanes = el('div', {});
    this.charts = new Charts(plots, (t) => this.seek(t));
    this.lanes = new Lanes(lanes, (t) => this.seek(t));
    this.root = el('section', { class: 'time', 'aria-label': 'Time' },
      el('div', { class: 'transport' },
        this.play,
        button('‹', 'One frame back (left)', () => this.step(-1)),
        button('›', 'One frame on (right)', () => this.step(1)),
        this.slider, this.clock,
        choice('', SPEEDS, '1', (v) => (this.speed = Number(v)), 'speed')),
      lanes, plots);
    this.events = el('section', { class: 'card', 'aria-label': 'Hand-overs' }, el('h2', {}, 'Hand-overs'), this.list);
  }

  /** Is it playing? */
  get runs(): boolean {
    return this.playing;
  }

  get current(): Run | null {
    return this.run;
  }

  setInk(ink: Ink, fills: [string, string]): void {
    this.ink = ink;
    this.charts.setInk(ink);
    if (this.run) this.setLanes(fills);
  }

  set(run: Run, fills: [string, string]): void {
    this.run = run;
    this.pause();
    const step = Math.max(1, Math.floor(run.count / 24));
    const samples = Array.from({ length: Math.ceil(run.count / step) }, (_, i) => run.frame(Math.min(run.count - 1, i * step)));
    if (run.count) samples.push(run.frame(run.count - 1));
    // what matters is near the other body: where they are far apart, the view may end
    const near = [...samples].sort((x, y) => x.row[RESULT.distance]! - y.row[RESULT.distance]!).slice(0, Math.ceil(0.6 * samples.length));
    this.stage.setBodies(run.sides, [near.map((s) => s.poseA), near.map((s) => s.poseB)]);
    const some = 9;
    const overlaid = Array.from({ length: some }, (_, i) => run.frame(Math.round((i * (run.count - 1)) / (some - 1))));
    this.stage.setGhosts([overlaid.map((f) => f.poseA), overlaid.map((f) => f.poseB)]);
    this.setTrails(run);
    this.slider.max = String(Math.max(0, run.count - 1));
    this.charts.setInk(this.ink);
    this.charts.set(run.column('t'), this.chartsOf(run), run.head.transitions.map((t) => t[0]!));
    this.setLanes(fills);
    this.setEvents(run);
    this.go(0);
  }

  private setTrails(run: Run): void {
    const [x, y, z] = ['a_x', 'a_y', 'a_z'].map((n) => run.column(n));
    const d = run.column('distance');
    const n = ['nx', 'ny', 'nz'].map((k) => run.column(k));
    const a = new Float32Array(3 * run.count);
    const b = new Float32Array(3 * run.count);
    for (let k = 0; k < run.count; k++) {
      [x!, y!, z!].forEach((c, i) => {
        a[3 * k + i] = c[k]!;
        b[3 * k + i] = c[k]! + d[k]! * n[i]![k]!;
      });
    }
    this.stage.setTrails(a, b);
  }

  private chartsOf(run: Run): ChartDef[] {
    const unit = run.head.unit;
    const lower = run.column('lower_bound');
    const defs: ChartDef[] = [{
      title: 'Distance', unit, log: false,
      curves: [{ label: 'distance', color: COLORS[0]!, values: run.column('distance'), width: 2 },
        { label: 'certified lower bound', color: COLORS[1]!, dash: [6, 4], values: lower.map((x) => (Number.isFinite(x) ? x : NaN)) }],
      levels: [{ value: 0, label: 'touch' }],
    }];
    const used = (name: string): boolean => run.column(name).some((x) => x !== 0);
    const errors = [0, 1, 2, 3].filter((i) => used(`e_${i}`));
    defs.push({
      title: 'Normalised projection errors', unit: '(0 at a closest pair)', log: true,
      curves: (errors.length ? errors : [0]).map((i) => ({ label: `e${i + 1}`, color: COLORS[i]!, values: run.column(`e_${i}`) })),
    });
    const parameters: [string, string][] = [['a_u', 'u of a'], ['a_v', 'v of a'], ['b_u', 'u of b'], ['b_v', 'v of b']];
    defs.push({
      title: 'Parameters', unit: '', log: false,
      curves: parameters.filter(([n]) => used(n)).map(([n, label], i) => ({ label, color: COLORS[i]!, values: run.column(n) })),
    });
    if (run.head.dynamic) {
      const f = run.column('force_x').map((x, k) => Math.hypot(x, run.column('force_y')[k]!, run.column('force_z')[k]!));
      defs.push({ title: 'Force', unit: '', log: false, curves: [{ label: 'on the device', color: COLORS[2]!, values: f, width: 2 },
        { label: 'between the bodies', color: COLORS[1]!, dash: [6, 4], values: run.column('contact_force') }] });
      defs.push({ title: 'Energy', unit: '', log: false, curves: ['kinetic', 'stored', 'balance'].map((n, i) => ({ label: n, color: COLORS[i]!, values: run.column(n) })) });
    } else {
      defs.push({ title: 'Work', unit: 'units a step', log: false, curves: [{ label: 'work', color: COLORS[2]!, values: run.column('work') }] });
    }
    return defs.filter((d) => d.curves.length > 0);
  }

  private setLanes(fills: [string, string]): void {
    const run = this.run!;
    const t = run.column('t');
    const flags = run.column('flags');
    const outcome = run.column('outcome');
    const feature = (side: 'a' | 'b') => {
      const body = run.sides[side === 'a' ? 0 : 1];
      const kind = run.column(`${side}_feature`);
      const id = run.column(`${side}_id`);
      return (k: number): string => (body ? body.featureName(FEATURES[kind[k]!] ?? 'point', id[k]!) : 'point');
    };
    const lanes = [
      { name: 'proof', bands: bandsOf(t, (k) => LOOK[kindOf(flags[k]!, outcome[k]!)].word, (k) => kindOf(flags[k]!, outcome[k]!)) },
      { name: run.head.sides[0].name, bands: bandsOf(t, feature('a'), () => null) },
    ];
    if (run.sides[1]) lanes.push({ name: run.head.sides[1].name, bands: bandsOf(t, feature('b'), () => null) });
    this.lanes.set(run.duration, lanes, this.ink, fills);
  }

  private setEvents(run: Run): void {
    this.list.replaceChildren(...[...run.head.transitions].sort((x, y) => x[0]! - y[0]!).slice(0, 300).map((row) => {
      const [time, side, from, fromId, to, toId] = row as [number, number, number, number, number, number];
      const body = run.sides[side] ?? null;
      const name = (kind: number, id: number): string => (body ? body.featureName(FEATURES[kind] ?? 'point', id) : 'point');
      return el('li', {}, el('button', { type: 'button', onclick: () => this.seek(time) },
        el('time', {}, `${digits(time, 4)} s`), `${run.head.sides[side]?.name ?? ''}: ${name(from, fromId)} → ${name(to, toId)}`));
    }));
    if (!run.head.transitions.length) this.list.append(el('li', {}, 'none in this run'));
  }

  /** Back to what was shown last. */
  show(): void {
    if (!this.run) return;
    this.setTrails(this.run);
    this.go(this.at);
  }

  forget(): void {
    this.pause();
    this.run = null;
    this.stage.setGhosts([]);
  }

  // ---- time

  go(k: number): void {
    if (!this.run || !this.run.count) return;
    this.at = Math.max(0, Math.min(this.run.count - 1, Math.round(k)));
    const f = this.run.frame(this.at);
    this.slider.value = String(this.at);
    this.slider.setAttribute('aria-valuetext', `${digits(f.time, 5)} s`);
    this.clock.textContent = `${f.time.toFixed(3)} / ${this.run.duration.toFixed(3)} s`;
    this.stage.show(f);
    this.stage.trailTo(0, this.at + 1);
    this.charts.at(f.time);
    this.lanes.at(f.time);
    this.shown(f);
    if (!this.playing) this.time = f.time;
  }

  step(by: number): void {
    this.pause();
    this.go(this.at + by);
  }

  seek(time: number): void {
    this.pause();
    if (this.run) this.go(this.run.frameAt(time));
  }

  end(last: boolean): void {
    this.pause();
    this.go(last && this.run ? this.run.count - 1 : 0);
  }

  toggle(): void {
    if (!this.run) return;
    this.playing = !this.playing;
    if (this.playing && this.at >= this.run.count - 1) this.time = 0;
    this.before = performance.now();
    this.label();
  }

  pause(): void {
    this.playing = false;
    this.label();
  }

  private label(): void {
    this.play.textContent = this.playing ? '❚❚ Pause' : '▶ Play';
    this.play.setAttribute('aria-pressed', String(this.playing));
  }

  /** In every picture. */
  tick(now: number): void {
    if (!this.playing || !this.run) return;
    this.time += ((now - this.before) / 1000) * this.speed;
    this.before = now;
    if (this.time >= this.run.duration) {
      this.time = this.run.duration;
      this.playing = false;
      this.label();
    }
    const k = this.run.frameAt(this.time);
    if (k !== this.at) this.go(k);
  }

  get row(): Float64Array {
    return this.run ? this.run.frame(this.at).row : new Float64Array(RESULT.size);
  }
}
