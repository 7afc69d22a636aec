// SPDX-License-Identifier: MIT
// Curves over time: distance with its lower bound, projection errors, parameters, forces; and the bands of modes.
import uPlot from 'uplot';
import { el } from './dom.js';
import { KINDS, LOOK, type Kind } from './state.js';

export interface Curve {
  label: string;
  color: string;
  dash?: number[];
  width?: number;
  values: Float64Array;
}

export interface ChartDef {
  title: string;
  unit: string;
  log: boolean;
  curves: Curve[];
  /** Lines across, with their names. */
  levels?: { value: number; label: string }[];
}

const MOST = 2400;

function tick(x: number): string {
  const a = Math.abs(x);
  return a !== 0 && (a < 1e-3 || a >= 1e5) ? x.toExponential().replace('e+', 'e') : String(Number(x.toPrecision(6)));
}

/** At most MOST points that keep every peak: the least and the largest of each piece. */
export function thin(t: Float64Array, curves: Float64Array[]): { t: number[]; y: (number | null)[][] } {
  const n = t.length;
  const pick: number[] = [];
  if (n <= MOST) for (let i = 0; i < n; i++) pick.push(i);
  else {
    const pieces = Math.floor(MOST / (2 * curves.length));
    const chosen = new Set<number>([0, n - 1]);
    for (let p = 0; p < pieces; p++) {
      const from = Math.floor((p * n) / pieces);
      const to = Math.floor(((p + 1) * n) / pieces);
      for (const y of curves) {
        let lo = from;
        let hi = from;
        for (let i = from; i < to; i++) {
          if (y[i]! < y[lo]!) lo = i;
          if (y[i]! > y[hi]!) hi = i;
        }
        chosen.add(lo).add(hi);
      }
    }
    pick.push(...[...chosen].sort((a, b) => a - b));
  }
  return { t: pick.map((i) => t[i]!), y: curves.map((y) => pick.map((i) => (Number.isFinite(y[i]!) ? y[i]! : null))) };
}

export interface Ink {
  text: string;
  grid: string;
  cursor: string;
}

function powers(_u: uPlot, v: number[]): (number | null)[] {
  // whole powers of ten, some five of them
  const range = Math.log10((v[v.length - 1] ?? 1) / (v[0] ?? 1));
  const every = Math.max(1, Math.ceil(range / 5));
  return v.map((x) => {
    const e = Math.round(Math.log10(x));
    return Math.abs(Math.log10(x) - e) < 1e-6 && e % every === 0 ? x : null;
  });
}

export class Charts {
  private plots: uPlot[] = [];
  private now = 0;
  private marks: number[] = [];
  private defs: ChartDef[] = [];
  private t: Float64Array = new Float64Array();
  private ink: Ink = { text: '#000', grid: '#ccc', cursor: '#000' };

  constructor(readonly root: HTMLElement, private readonly seek: (time: number) => void) {
    new ResizeObserver(() => this.fitWidth()).observe(root);
  }

  private width(): number {
    return Math.max(160, Math.floor(this.root.clientWidth / this.columns()) - (this.columns() > 1 ? 8 : 0));
  }

  private columns(): number {
    return this.root.clientWidth > 900 ? 2 : 1;
  }

  private fitWidth(): void {
    for (const p of this.plots) p.setSize({ width: this.width(), height: p.height });
    this.at(this.now);
  }

  setInk(ink: Ink): void {
    this.ink = ink;
    if (this.defs.length) this.set(this.t, this.defs, this.marks);
  }

  set(t: Float64Array, defs: ChartDef[], marks: number[]): void {
    for (const p of this.plots) p.destroy();
    this.root.replaceChildren();
    this.t = t;
    this.defs = defs;
    this.marks = marks;
    this.plots = defs.map((d) => this.make(d));
    this.at(this.now);
  }

  private make(def: ChartDef): uPlot {
    const { t, y } = thin(this.t, def.curves.map((c) => c.values));
    if (def.log) for (const list of y) for (let i = 0; i < list.length; i++) list[i] = list[i] === null ? null : Math.max(Math.abs(list[i]!), 1e-17);
    const axis = { stroke: this.ink.text, grid: { stroke: this.ink.grid, width: 1 }, ticks: { stroke: this.ink.grid, width: 1 }, font: '11px system-ui, sans-serif' };
    const host = el('figure', { class: 'chart' }, el('figcaption', {}, def.title, el('small', {}, def.unit ? ` ${def.unit}` : '')));
    this.root.append(host);
    const plot = new uPlot({
      width: this.width(),
      height: 150,
      scales: { x: { time: false }, y: def.log ? { distr: 3, log: 10 } : {} },
      legend: { show: true, live: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      axes: [
        { ...axis, size: 30, values: (_u, v) => v.map((x) => (x === null ? '' : String(Number(x.toPrecision(6))))) },
        { ...axis, size: 58, values: (_u, v) => v.map((x) => (x === null ? '' : def.log ? `1e${Math.round(Math.log10(x))}` : tick(x))),
          ...(def.log ? { grid: { ...axis.grid, filter: powers }, ticks: { ...axis.ticks, filter: powers }, filter: powers } : {}) },
      ],
      series: [{ label: 's' }, ...def.curves.map((c) => ({ label: c.label, stroke: c.color, width: c.width ?? 1.5, dash: c.dash, spanGaps: false, points: { show: false } }))],
      hooks: { draw: [(u) => this.over(u, def)] },
    }, [t, ...y] as uPlot.AlignedData, host);
    plot.over.append(el('div', { class: 'now' }));
    plot.over.addEventListener('click', () => {
      const left = plot.cursor.left ?? -1;
      if (left >= 0) this.seek(plot.posToVal(left, 'x'));
    });
    return plot;
  }

  /** Marks of hand-overs, and levels. */
  private over(u: uPlot, def: ChartDef): void {
    const g = u.ctx;
    const { left, top, width, height } = u.bbox;
    g.save();
    g.beginPath();
    g.rect(left, top, width, height);
    g.clip();
    g.lineWidth = devicePixelRatio;
    g.strokeStyle = this.ink.grid;
    g.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    const across = (x: number): void => {
      g.beginPath();
      g.moveTo(x, top);
      g.lineTo(x, top + height);
      g.stroke();
    };
    g.strokeStyle = this.ink.text;
    g.globalAlpha = 0.35;
    for (const m of this.marks.slice(0, 400)) across(u.valToPos(m, 'x', true));
    g.globalAlpha = 0.8;
    for (const l of def.levels ?? []) {
      const y = u.valToPos(l.value, 'y', true);
      g.beginPath();
      g.moveTo(left, y);
      g.lineTo(left + width, y);
      g.stroke();
      g.fillStyle = this.ink.text;
      g.textAlign = 'left';
      g.textBaseline = 'bottom';
      g.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
      g.fillText(l.label, left + 4 * devicePixelRatio, y - 2 * devicePixelRatio);
    }
    g.restore();
  }

  /** The line of the time is an element: moving it draws no curve again. */
  at(time: number): void {
    this.now = time;
    for (const p of this.plots) this.place(p);
  }

  private place(p: uPlot): void {
    const line = p.over.querySelector<HTMLElement>('.now');
    if (line) line.style.transform = `translateX(${p.valToPos(this.now, 'x')}px)`;
  }
}

/** Stretches of frames that are alike. */
export interface Band {
  from: number;
  to: number;
  label: string;
  kind: Kind | null;
}

export function bandsOf(t: Float64Array, label: (k: number) => string, kind: (k: number) => Kind | null): Band[] {
  const out: Band[] = [];
  for (let k = 0; k < t.length; k++) {
    const last = out[out.length - 1];
    const text = label(k);
    const what = kind(k);
    if (last && last.label === text && last.kind === what) last.to = t[k]!;
    else {
      if (last) last.to = t[k]!;
      out.push({ from: t[k]!, to: t[k]!, label: text, kind: what });
    }
  }
  return out;
}

function pattern(g: CanvasRenderingContext2D, kind: Kind): CanvasPattern | string {
  const c = document.createElement('canvas');
  c.width = c.height = 8;
  const p = c.getContext('2d')!;
  p.fillStyle = LOOK[kind].color;
  if (kind === 'certified') return LOOK[kind].color;
  p.globalAlpha = 0.3;
  p.fillRect(0, 0, 8, 8);
  p.globalAlpha = 1;
  p.strokeStyle = LOOK[kind].color;
  p.lineWidth = 2;
  p.beginPath();
  if (kind !== 'open') {
    p.moveTo(-2, 10); p.lineTo(10, -2);
    p.moveTo(-6, 6); p.lineTo(6, -6);
    p.moveTo(2, 14); p.lineTo(14, 2);
  }
  if (kind === 'overlapping') {
    p.moveTo(-2, -2); p.lineTo(10, 10);
    p.moveTo(-2, 6); p.lineTo(2, 10);
    p.moveTo(6, -2); p.lineTo(10, 2);
  }
  p.stroke();
  return g.createPattern(c, 'repeat') ?? LOOK[kind].color;
}

/** Lanes of bands over the whole time: what is proved, and which features carry the witnesses. */
export class Lanes {
  private readonly canvas = el('canvas', { class: 'lanes', role: 'img' });
  private readonly line = el('div', { class: 'now' });
  private lanes: { name: string; bands: Band[] }[] = [];
  private duration = 1;
  private now = 0;
  private ink: Ink = { text: '#000', grid: '#ccc', cursor: '#000' };
  private fills: [string, string] = ['#88a', '#ba8'];

  constructor(root: HTMLElement, private readonly seek: (time: number) => void) {
    const legend = el('div', { class: 'legend' }, ...KINDS.map((k) => el('span', { class: `key ${k}` }, el('i', {}, LOOK[k].glyph), LOOK[k].word)));
    root.append(el('div', { class: 'lane-box' }, this.canvas, this.line), legend);
    new ResizeObserver(() => this.draw()).observe(root);
    this.canvas.addEventListener('click', (e) => {
      const box = this.canvas.getBoundingClientRect();
      const left = this.left();
      this.seek(Math.max(0, ((e.clientX - box.left - left) / Math.max(1, box.width - left)) * this.duration));
    });
  }

  private left(): number {
    return 58;
  }

  set(duration: number, lanes: { name: string; bands: Band[] }[], ink: Ink, fills: [string, string]): void {
    this.duration = duration || 1;
    this.lanes = lanes;
    this.ink = ink;
    this.fills = fills;
    this.canvas.setAttribute('aria-label', lanes.map((l) => `${l.name}: ${l.bands.slice(0, 12).map((b) => b.label).join(', ')}`).join('; '));
    this.draw();
  }

  at(time: number): void {
    this.now = time;
    const left = this.left();
    this.line.style.transform = `translateX(${left + (time / this.duration) * (this.canvas.clientWidth - left - 1)}px)`;
  }

  private draw(): void {
    const w = this.canvas.parentElement?.clientWidth || 300;
    const high = 20;
    const h = high * this.lanes.length + 4;
    const scale = devicePixelRatio;
    this.canvas.width = w * scale;
    this.canvas.height = h * scale;
    this.canvas.style.height = `${h}px`;
    const g = this.canvas.getContext('2d', { willReadFrequently: true })!;
    g.scale(scale, scale);
    const left = this.left();
    const x = (t: number): number => left + (t / this.duration) * (w - left - 1);
    g.font = '11px system-ui, sans-serif';
    g.textBaseline = 'middle';
    this.lanes.forEach((lane, i) => {
      const y = 2 + high * i;
      g.fillStyle = this.ink.text;
      g.textAlign = 'right';
      g.fillText(lane.name.length > 9 ? lane.name.slice(0, 8) + '…' : lane.name, left - 6, y + high / 2, left - 8);
      g.textAlign = 'left';
      lane.bands.forEach((b, k) => {
        const x0 = x(b.from);
        const x1 = Math.max(x(b.to), x0 + 1);
        g.fillStyle = b.kind ? pattern(g, b.kind) : this.fills[k % 2]!;
        g.fillRect(x0, y + 1, x1 - x0, high - 3);
        if (!b.kind && x1 - x0 > g.measureText(b.label).width + 6) {
          g.fillStyle = '#111';
          g.fillText(b.label, x0 + 4, y + high / 2);
        }
      });
    });
    this.at(this.now);
  }
}
