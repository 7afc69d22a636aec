// SPDX-License-Identifier: MIT
// The numbers beside the picture.
import { REASONS, RESULT, type Body } from '../../wasm/src/core.js';
import type { Frame } from './data.js';
import { el } from './dom.js';
import { digits, featureText, kindOfRow, LOOK } from './state.js';

const WHY: Record<string, string> = {
  budget: 'the work that was allowed is used up',
  memory: 'the search ran out of room',
  spread: 'the closest set is a curve or an area',
  sign: 'inside or outside is not proved',
  premise: 'no convexity is proved of these solids',
  model: 'the model’s own tolerance is wider',
  rounding: 'the coordinates are too large for the tolerance',
  open: 'the conditions of a closest pair do not hold yet',
  motion: 'the proof of the last search is used up by the motion since',
};

/** Writing what stands there already would lay out the page again. */
function write(to: HTMLElement, text: string): void {
  if (to.textContent !== text) to.textContent = text;
}

function short(name: string): string {
  return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}

export class Readout {
  readonly root: HTMLElement;
  readonly badge: HTMLElement;
  private readonly glyph = el('i', {}, '·');
  private readonly word = el('span', {}, 'no pair yet');
  private readonly value = el('span', { id: 'distance' }, '–');
  private readonly unit = el('small', {}, '');
  private readonly why = el('p', { class: 'why' }, '');
  private readonly list = el('dl');
  private readonly cells = new Map<string, HTMLElement>();
  unitName = '';
  bodies: [Body | null, Body | null] = [null, null];
  names: [string, string] = ['a', 'b'];

  constructor() {
    this.badge = el('div', { class: 'badge none', id: 'badge' }, this.glyph, this.word);
    this.root = el('section', { class: 'card', 'aria-label': 'Distance' }, el('h2', {}, 'Distance'),
      el('div', { class: 'big' }, this.value, this.unit), this.why, this.list);
  }

  private put(key: string, text: string, id?: string): void {
    let cell = this.cells.get(key);
    if (!cell) {
      cell = el('dd', { id });
      this.cells.set(key, cell);
      this.list.append(el('dt', {}, key), cell);
    }
    write(cell, text);
  }

  clear(): void {
    this.cells.clear();
    this.list.replaceChildren();
    this.value.textContent = '–';
    this.unit.textContent = '';
    this.why.textContent = '';
    this.badge.className = 'badge none';
    this.glyph.textContent = '·';
    this.word.textContent = 'no pair yet';
  }

  show(f: Frame): void {
    const r = f.row;
    const kind = kindOfRow(r);
    const look = LOOK[kind];
    const unit = this.unitName;
    if (this.badge.className !== `badge ${kind}`) this.badge.className = `badge ${kind}`;
    write(this.glyph, look.glyph);
    write(this.word, look.word);
    write(this.value, digits(r[RESULT.distance]!, 8));
    this.value.dataset['value'] = String(r[RESULT.distance]!);
    write(this.unit, unit);
    const reason = REASONS[r[RESULT.reason]!] ?? 'none';
    write(this.why, kind === 'certified' ? look.text : `${look.text}${WHY[reason] && kind === 'local' ? `: ${WHY[reason]}` : ''}`);
    const lower = r[RESULT.lowerBound]!;
    this.put('lower bound', digits(lower, 8) + (Number.isFinite(lower) && unit ? ` ${unit}` : ''), 'lower');
    this.put('bracket', Number.isFinite(lower) ? digits(r[RESULT.distance]! - lower, 2) : '–');
    this.put(`on ${short(this.names[0])}`, featureText(this.bodies[0], r, RESULT.a), 'feature-a');
    this.put(`on ${short(this.names[1])}`, featureText(this.bodies[1], r, RESULT.b), 'feature-b');
    this.put('rate', `${digits(r[RESULT.rate]!, 5)}${unit ? ` ${unit}/s` : ' /s'}`);
    this.put('normal', [0, 1, 2].map((i) => (Number(r[RESULT.normal + i]!.toFixed(4)) + 0).toFixed(4).replace('-', '−')).join('  '));
    this.put('residual', digits(r[RESULT.residual]!, 2));
    if (r[RESULT.gain]) this.put('gain', `${digits(r[RESULT.gain]!, 4)} /s`);
    this.put('work', `${r[RESULT.work]} units`);
    if (f.force) {
      this.put('force', digits(Math.hypot(f.force[0]!, f.force[1]!, f.force[2]!), 5), 'force');
      this.put('contact force', digits(f.force[6]!, 5));
    }
  }

  /** For those who do not see the picture. */
  sentence(f: Frame): string {
    const r = f.row;
    return `${this.names[0]} and ${this.names[1]}: distance ${digits(r[RESULT.distance]!, 6)} ${this.unitName}, ${LOOK[kindOfRow(r)].word.toLowerCase()}, `
      + `${featureText(this.bodies[0], r, RESULT.a)} against ${featureText(this.bodies[1], r, RESULT.b)}`;
  }
}
