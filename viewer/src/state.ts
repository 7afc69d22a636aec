// SPDX-License-Identifier: MIT
// How a frame is told: by word, by shape and by a colour that the colour-blind tell apart (Okabe and Ito's).
import { FEATURES, FLAG, OUTCOMES, RESULT, type Body } from '../../wasm/src/core.js';

export type Kind = 'certified' | 'local' | 'overlapping' | 'open';

export const KINDS: Kind[] = ['certified', 'local', 'overlapping', 'open'];

export const LOOK: Record<Kind, { word: string; glyph: string; color: string; text: string }> = {
  certified: { word: 'Certified', glyph: '✓', color: '#0072b2', text: 'proved: nothing is nearer than the lower bound' },
  local: { word: 'Local', glyph: '~', color: '#d98200', text: 'a closest pair nearby; not proved to be the closest of all' },
  overlapping: { word: 'Overlapping', glyph: '✕', color: '#b0468f', text: 'the bodies share inner points; the distance is a depth' },
  open: { word: 'Not settled', glyph: '…', color: '#6b7280', text: 'the law is still on its way: the pair is not closest yet' },
};

export function kindOf(flags: number, outcome: number): Kind {
  if (flags & FLAG.overlapping) return 'overlapping';
  if (flags & FLAG.certified) return 'certified';
  return OUTCOMES[outcome] === 'converged' || OUTCOMES[outcome] === 'not_unique' ? 'local' : 'open';
}

export function kindOfRow(row: Float64Array): Kind {
  return kindOf(row[RESULT.flags]!, row[RESULT.outcome]!);
}

export function featureName(body: Body | null, row: Float64Array, at: number): string {
  const kind = FEATURES[row[at]!] ?? 'point';
  return body ? body.featureName(kind, row[at + 1]!) : 'point';
}

/** Feature kind and name: "face S2"; "edge 3" where there is no name. */
export function featureText(body: Body | null, row: Float64Array, at: number): string {
  const kind = FEATURES[row[at]!] ?? 'point';
  const name = featureName(body, row, at);
  return name.startsWith(kind) ? name : `${kind} ${name}`;
}

export function digits(x: number, n = 6): string {
  if (!Number.isFinite(x)) return x > 0 ? '∞' : x < 0 ? '−∞' : '–';
  const s = Math.abs(x) !== 0 && (Math.abs(x) < 1e-4 || Math.abs(x) >= 1e7) ? x.toExponential(n - 1) : x.toPrecision(n);
  return s.replace('-', '−').replace('e−', 'e-').replace('e+', 'e');
}
