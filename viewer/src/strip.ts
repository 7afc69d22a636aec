// SPDX-License-Identifier: MIT
// The last seconds of a live run, as curves that roll by.
import { el } from './dom.js';
import { FLAG } from '../../wasm/src/core.js';
import { KEPT } from './protocol.js';
import type { Ink } from './charts.js';

const SECONDS = 4;
const N = KEPT.length;

interface Lane {
  title: string;
  columns: { at: number; color: string; label: string; dash?: number[] }[];
  log: boolean;
}

const AT = Object.fromEntries(KEPT.map((k, i) => [k, i])) as Record<(typeof KEPT)[number], number>;

const TRACK: Lane[] = [
  { title: 'distance', log: false, columns: [{ at: AT.distance, color: '#0072b2', label: 'distance' }, { at: AT.lower, color: '#d55e00', label: 'lower bound', dash: [5, 4] }] },
  { title: 'largest projection error', log: true, columns: [{ at: AT.residual, color: '#009e73', label: 'residual' }] },
  { title: 'parameter u of a', log: false, columns: [{ at: AT.u, color: '#b0468f', label: 'u' }] },
];
const HAPTIC: Lane[] = [
  { title: 'force on the hand', log: false, columns: [{ at: AT.force, color: '#d55e00', label: 'force' }] },
  { title: 'distance of the device', log: false, columns: [{ at: AT.distance, color: '#0072b2', label: 'distance' }] },
];

export class Strip {
  readonly canvas = el('canvas', { class: 'strip', role: 'img', 'aria-label': 'The last four seconds' });
  private rows: number[] = [];
  private lanes: Lane[] = TRACK;
  ink: Ink = { text: '#000', grid: '#ccc', cursor: '#000' };

  set(haptic: boolean): void {
    this.lanes = haptic ? HAPTIC : TRACK;
    this.rows = [];
    this.draw();
  }

  add(history: Float64Array): void {
    for (const x of history) this.rows.push(x);
    const most = N * SECONDS * 1000;
    if (this.rows.length > 1.25 * most) this.rows.splice(0, this.rows.length - most);
  }

  /** Every value of a column that is kept. */
  column(name: (typeof KEPT)[number]): number[] {
    const out: number[] = [];
    for (let i = AT[name]; i < this.rows.length; i += N) out.push(this.rows[i]!);
    return out;
  }

  /** Share of the kept steps that are certified. */
  certified(): number {
    const flags = this.column('flags');
    return flags.length ? flags.filter((f) => f & FLAG.certified).length / flags.length : 0;
  }

  draw(): void {
    const host = this.canvas.parentElement;
    if (!host) return;
    const w = Math.max(120, host.clientWidth);
    const h = 200;
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== h) this.canvas.height = h;
    // drawn by the processor: long paths through a graphics card that is none take ten times as long
    const g = this.canvas.getContext('2d', { willReadFrequently: true })!;
    g.clearRect(0, 0, w, h);
    const count = this.rows.length / N;
    const end = count ? this.rows[this.rows.length - N]! : 0;
    const each = h / this.lanes.length;
    const left = 64;
    g.font = '11px system-ui, sans-serif';
    this.lanes.forEach((lane, k) => {
      const top = k * each + 15;
      const high = each - 21;
      let lo = Infinity;
      let hi = -Infinity;
      const value = (i: number, at: number): number => {
        const x = this.rows[N * i + at]!;
        return lane.log ? Math.log10(Math.max(Math.abs(x), 1e-17)) : x;
      };
      const stride = Math.max(1, Math.floor(count / (w - left)));
      for (let i = 0; i < count; i++) for (const c of lane.columns) {
        const y = value(i, c.at);
        if (!Number.isFinite(y)) continue;
        lo = Math.min(lo, y);
        hi = Math.max(hi, y);
      }
      // noise of the last digits is not blown up to a mountain
      const noise = 1e-6 * Math.max(Math.abs(lo), Math.abs(hi));
      if (!lane.log && hi - lo < noise) [lo, hi] = [lo - noise, hi + noise];
      if (!(hi > lo)) {
        lo = Number.isFinite(lo) ? lo - 1 : 0;
        hi = lo + 2;
      }
      g.fillStyle = this.ink.text;
      g.textAlign = 'left';
      g.textBaseline = 'alphabetic';
      g.fillText(lane.title + lane.columns.slice(1).map((c) => `; dashed: ${c.label}`).join(''), left, top - 3);
      g.textAlign = 'right';
      const text = (x: number): string => (lane.log ? `1e${Math.round(x)}` : String(Number(x.toPrecision(4))));
      // a value that stands still has one number, at its height
      const ends = text(hi) === text(lo) ? [[(lo + hi) / 2, top + high / 2 + 4] as const] : [[hi, top + 9] as const, [lo, top + high] as const];
      for (const [x, y] of ends) g.fillText(text(x), left - 5, y);
      g.strokeStyle = this.ink.grid;
      g.lineWidth = 1;
      g.strokeRect(left + 0.5, top + 0.5, w - left - 1, high);
      g.save();
      g.beginPath();
      g.rect(left, top, w - left, high);
      g.clip();
      for (const c of lane.columns) {
        g.strokeStyle = c.color;
        g.lineWidth = 1.5;
        g.setLineDash(c.dash ?? []);
        g.beginPath();
        let drawn = false;
        // of the steps that share a pixel the least and the largest: chatter from step to step is seen
        for (let i = 0; i < count; i += stride) {
          let [least, most] = [Infinity, -Infinity];
          for (let j = i; j < Math.min(count, i + stride); j++) {
            const y = value(j, c.at);
            if (!Number.isFinite(y)) continue;
            least = Math.min(least, y);
            most = Math.max(most, y);
          }
          if (!(least <= most)) {
            drawn = false;
            continue;
          }
          const px = left + (w - left) * (1 - (end - this.rows[N * i]!) / SECONDS);
          for (const y of least === most ? [least] : [least, most]) {
            const py = top + high * (1 - (y - lo) / (hi - lo));
            if (drawn) g.lineTo(px, py);
            else g.moveTo(px, py);
            drawn = true;
          }
        }
        g.stroke();
        g.setLineDash([]);
      }
      g.restore();
    });
  }
}
