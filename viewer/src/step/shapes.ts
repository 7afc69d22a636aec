// SPDX-License-Identifier: MIT
// Curves and surfaces as Open CASCADE has them, and their points. Parameter curves are curves in the plane z = 0.

export type Vec = [number, number, number];

export interface Frame {
  o: Vec;
  x: Vec;
  y: Vec;
  z: Vec;
}

export interface Spline1 {
  degree: number;
  periodic: boolean;
  knots: number[];
  multiplicities: number[];
}

export type Curve =
  | { kind: 'line'; o: Vec; d: Vec }
  | { kind: 'circle' | 'ellipse' | 'parabola' | 'hyperbola'; frame: Frame; r: number; r2: number }
  | { kind: 'spline'; axis: Spline1; poles: Vec[]; weights: number[] | null; bezier: boolean }
  | { kind: 'trimmed'; lo: number; hi: number; basis: Curve }
  | { kind: 'offset'; basis: Curve };

export type Elementary = { kind: 'plane' | 'cylinder' | 'cone' | 'sphere' | 'torus'; frame: Frame; r: number; r2: number };

export type Surface =
  | Elementary
  | { kind: 'extrusion'; d: Vec; basis: Curve }
  | { kind: 'revolution'; o: Vec; d: Vec; basis: Curve }
  | { kind: 'spline'; u: Spline1; v: Spline1; poles: Vec[][]; weights: number[][] | null; bezier: boolean }
  | { kind: 'trimmed'; box: [number, number, number, number]; basis: Surface }
  | { kind: 'offset'; basis: Surface };

export const add = (a: Vec, b: Vec, s = 1): Vec => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const scaled = (a: Vec, s: number): Vec => [s * a[0], s * a[1], s * a[2]];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const distance = (a: Vec, b: Vec): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const unit = (a: Vec): Vec => scaled(a, 1 / Math.hypot(...a));

/** A unit vector across d. */
export function across(d: Vec): Vec {
  const least = d.map(Math.abs).indexOf(Math.min(...d.map(Math.abs)));
  return unit(cross(d, [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0]));
}

// ---- splines

/**
 * The flat knots of a spline over lo to hi, with the pole that begins at each. A periodic spline is unrolled: knot j + n is knot j and
 * a period, and the pole that begins at knot j is j + degree + 1 - (multiplicity of the first knot), modulo n.
 */
export function unrolled(s: Spline1, count: number, lo: number, hi: number): { knots: number[]; pole: number[] } {
  const flat: number[] = [];
  s.knots.forEach((k, i) => {
    for (let m = 0; m < s.multiplicities[i]!; m++) flat.push(k);
  });
  if (!s.periodic) return { knots: flat, pole: Array.from({ length: count }, (_, i) => i) };
  const period = s.knots[s.knots.length - 1]! - s.knots[0]!;
  const one = flat.slice(0, flat.length - s.multiplicities[s.multiplicities.length - 1]!);
  const n = one.length; // = count
  const at = (j: number): number => one[((j % n) + n) % n]! + period * Math.floor(j / n);
  let from = n * Math.floor((lo - s.knots[0]!) / period);
  while (at(from + 1) <= lo) from++;
  let to = from + 1;
  while (at(to) < hi) to++;
  const first = s.degree + 1 - s.multiplicities[0]!;
  const knots: number[] = [];
  const pole: number[] = [];
  for (let j = from - s.degree; j <= to + s.degree; j++) knots.push(at(j));
  for (let j = from - s.degree; j < to; j++) pole.push((((j + first) % n) + n) % n);
  return { knots, pole };
}

/** The values at t of the degree + 1 functions that are not 0 there, and the first of them: Cox and de Boor. */
function basis(knots: number[], degree: number, count: number, t: number): { first: number; values: number[] } {
  let span = degree;
  while (span < count - 1 && knots[span + 1]! <= t) span++;
  const values = [1];
  for (let p = 1; p <= degree; p++) {
    let carried = 0;
    for (let r = 0; r < p; r++) {
      const right = knots[span + r + 1]! - t;
      const left = t - knots[span + 1 - p + r]!;
      const part = values[r]! / (right + left);
      values[r] = carried + right * part;
      carried = left * part;
    }
    values.push(carried);
  }
  return { first: span - degree, values };
}

function splineBasis(s: Spline1, count: number, t: number): { pole: number; value: number }[] {
  const { knots, pole } = unrolled(s, count, t, t);
  const b = basis(knots, s.degree, pole.length, t);
  return b.values.map((value, i) => ({ pole: pole[b.first + i]!, value }));
}

// ---- points

export function curvePoint(c: Curve, t: number): Vec {
  if (c.kind === 'line') return add(c.o, c.d, t);
  if (c.kind === 'trimmed' || c.kind === 'offset') return curvePoint(c.basis, t);
  if (c.kind === 'spline') {
    let p: Vec = [0, 0, 0];
    let w = 0;
    for (const b of splineBasis(c.axis, c.poles.length, t)) {
      const weight = b.value * (c.weights ? c.weights[b.pole]! : 1);
      p = add(p, c.poles[b.pole]!, weight);
      w += weight;
    }
    return scaled(p, 1 / w);
  }
  const [a, b] = c.kind === 'circle' ? [c.r * Math.cos(t), c.r * Math.sin(t)] : c.kind === 'ellipse' ? [c.r * Math.cos(t), c.r2 * Math.sin(t)]
    : c.kind === 'parabola' ? [(t * t) / (4 * c.r), t] : [c.r * Math.cosh(t), c.r2 * Math.sinh(t)];
  return add(add(c.frame.o, c.frame.x, a), c.frame.y, b);
}

function turned(p: Vec, o: Vec, d: Vec, angle: number): Vec {
  const r = add(p, o, -1);
  const along = scaled(d, dot(d, r));
  const away = add(r, along, -1);
  return add(add(add(o, along), away, Math.cos(angle)), cross(d, away), Math.sin(angle));
}

export function surfacePoint(s: Surface, u: number, v: number): Vec {
  if (s.kind === 'trimmed' || s.kind === 'offset') return surfacePoint(s.basis, u, v);
  if (s.kind === 'extrusion') return add(curvePoint(s.basis, u), s.d, v);
  if (s.kind === 'revolution') return turned(curvePoint(s.basis, v), s.o, s.d, u);
  if (s.kind === 'spline') {
    let p: Vec = [0, 0, 0];
    let w = 0;
    const rows = splineBasis(s.u, s.poles.length, u);
    const columns = splineBasis(s.v, s.poles[0]!.length, v);
    for (const a of rows) for (const b of columns) {
      const weight = a.value * b.value * (s.weights ? s.weights[a.pole]![b.pole]! : 1);
      p = add(p, s.poles[a.pole]![b.pole]!, weight);
      w += weight;
    }
    return scaled(p, 1 / w);
  }
  const { o, x, y, z } = s.frame;
  if (s.kind === 'plane') return add(add(o, x, u), y, v);
  const [out, up] = s.kind === 'cylinder' ? [s.r, v] : s.kind === 'cone' ? [s.r + v * Math.sin(s.r2), v * Math.cos(s.r2)]
    : s.kind === 'sphere' ? [s.r * Math.cos(v), s.r * Math.sin(v)] : [s.r + s.r2 * Math.cos(v), s.r2 * Math.sin(v)];
  return add(add(add(o, x, out * Math.cos(u)), y, out * Math.sin(u)), z, up);
}

export function basisCurve(c: Curve): Curve {
  while (c.kind === 'trimmed') c = c.basis;
  return c;
}

export function basisSurface(s: Surface): Surface {
  while (s.kind === 'trimmed') s = s.basis;
  return s;
}

// ---- places

/** A rigid motion, by rows: 12 numbers. */
export type Place = number[];

const moved = (m: Place, p: Vec): Vec => [0, 1, 2].map((i) => m[4 * i]! * p[0] + m[4 * i + 1]! * p[1] + m[4 * i + 2]! * p[2] + m[4 * i + 3]!) as Vec;
const rotated = (m: Place, p: Vec): Vec => [0, 1, 2].map((i) => m[4 * i]! * p[0] + m[4 * i + 1]! * p[1] + m[4 * i + 2]! * p[2]) as Vec;
const movedFrame = (m: Place, f: Frame): Frame => ({ o: moved(m, f.o), x: rotated(m, f.x), y: rotated(m, f.y), z: rotated(m, f.z) });

export function product(a: Place, b: Place): Place {
  const out: number[] = [];
  for (let i = 0; i < 3; i++) for (let j = 0; j < 4; j++)
    out.push(a[4 * i]! * b[j]! + a[4 * i + 1]! * b[4 + j]! + a[4 * i + 2]! * b[8 + j]! + (j === 3 ? a[4 * i + 3]! : 0));
  return out;
}

export function inverse(a: Place): Place {
  const r = [0, 1, 2].map((i) => [a[i]!, a[4 + i]!, a[8 + i]!]);
  const t: Vec = [a[3]!, a[7]!, a[11]!];
  return r.flatMap((row) => [...row, -dot(row as Vec, t)]);
}

export function isRigid(m: Place): boolean {
  const [x, y, z] = [0, 1, 2].map((j) => [m[j]!, m[4 + j]!, m[8 + j]!] as Vec) as [Vec, Vec, Vec];
  return [dot(x, x) - 1, dot(y, y) - 1, dot(z, z) - 1, dot(x, y), dot(y, z), dot(z, x), dot(cross(x, y), z) - 1].every((e) => Math.abs(e) < 1e-9);
}

export function movedPoint(m: Place | null, p: Vec): Vec {
  return m ? moved(m, p) : p;
}

export function movedCurve(m: Place | null, c: Curve): Curve {
  if (!m) return c;
  if (c.kind === 'line') return { ...c, o: moved(m, c.o), d: rotated(m, c.d) };
  if (c.kind === 'spline') return { ...c, poles: c.poles.map((p) => moved(m, p)) };
  if (c.kind === 'trimmed') return { ...c, basis: movedCurve(m, c.basis) };
  if (c.kind === 'offset') return { ...c, basis: movedCurve(m, c.basis) };
  return { ...c, frame: movedFrame(m, c.frame) };
}

export function movedSurface(m: Place | null, s: Surface): Surface {
  if (!m) return s;
  if (s.kind === 'extrusion') return { ...s, d: rotated(m, s.d), basis: movedCurve(m, s.basis) };
  if (s.kind === 'revolution') return { ...s, o: moved(m, s.o), d: rotated(m, s.d), basis: movedCurve(m, s.basis) };
  if (s.kind === 'spline') return { ...s, poles: s.poles.map((row) => row.map((p) => moved(m, p))) };
  if (s.kind === 'trimmed') return { ...s, basis: movedSurface(m, s.basis) };
  if (s.kind === 'offset') return { ...s, basis: movedSurface(m, s.basis) };
  return { ...s, frame: movedFrame(m, s.frame) };
}
