// SPDX-License-Identifier: MIT
// Curves and surfaces of Open CASCADE as the model's text, with the same parameters; as cad/shape_text.cpp does it.
import { across, add, basisCurve, basisSurface, scaled, unrolled, type Curve, type Elementary, type Frame, type Spline1, type Surface, type Vec } from './shapes.js';

const DEGREE_MOST = 25; // WIT_MAX_DEGREE
const ROOM = 0.01; // beyond the face, so that parameter curves that are off by a tolerance stay within the range

export interface CurveText {
  json: string;
  /** The part of it that is asked for. */
  lo: number;
  hi: number;
}

/** u0, u1, v0, v1. */
export type Bounds = [number, number, number, number];

export const number = (x: number): string => (Object.is(x, -0) ? '0' : String(x));
export const vector = (v: Vec): string => `[${v.map(number).join(', ')}]`;
export const range = (lo: number, hi: number): string => `[${number(lo)}, ${number(hi)}]`;
const frameText = (f: { o: Vec; x: Vec; z: Vec }): string => `"frame": {"origin": ${vector(f.o)}, "x": ${vector(f.x)}, "z": ${vector(f.z)}}`;

/** Null: not possible without an approximation. */
export function curveText(given: Curve, lo: number, hi: number): CurveText | null {
  const c = basisCurve(given);
  const exact = (kind: string, fields: string): CurveText => ({ json: `{"kind": "${kind}", ${fields}, "range": ${range(lo, hi)}}`, lo, hi });
  if (c.kind === 'line') return exact('line', frameText({ o: c.o, x: c.d, z: across(c.d) }));
  if (c.kind === 'circle') return exact('circle', `${frameText(c.frame)}, "radius": ${number(c.r)}`);
  if (c.kind === 'parabola') return exact('parabola', `${frameText(c.frame)}, "focal": ${number(c.r)}`);
  if (c.kind === 'ellipse' || c.kind === 'hyperbola') return exact(c.kind, `${frameText(c.frame)}, "semi_x": ${number(c.r)}, "semi_y": ${number(c.r2)}`);
  if (c.kind !== 'spline' || c.axis.degree > DEGREE_MOST) return null;
  const { knots, pole } = unrolled(c.axis, c.poles.length, lo, hi);
  let json = `{"kind": "nurbs", "degree": ${c.axis.degree}, "knots": [${knots.map(number).join(', ')}], "points": [${pole.map((i) => vector(c.poles[i]!)).join(', ')}]`;
  if (c.weights) json += `, "weights": [${pole.map((i) => number(c.weights![i]!)).join(', ')}]`;
  return { json: json + '}', lo: Math.max(lo, knots[c.axis.degree]!), hi: Math.min(hi, knots[pole.length]!) };
}

function widened(lo: number, hi: number): [number, number] {
  const room = ROOM * (hi - lo);
  return [lo - room, hi + room];
}

/** One direction of a spline surface: the poles in the order of the text. A periodic one has one period of knots, and point k begins at knot k. */
function axisText(name: string, s: Spline1, count: number): { fields: string; order: number[] } {
  const last = s.periodic ? s.knots.length - 1 : s.knots.length;
  const flat: number[] = [];
  for (let i = 0; i < last; i++) for (let m = 0; m < s.multiplicities[i]!; m++) flat.push(s.knots[i]!);
  if (s.periodic) flat.push(s.knots[last]!);
  const first = s.periodic ? (s.degree + 1 - s.multiplicities[0]!) % count : 0;
  return {
    fields: `"degree_${name}": ${s.degree}${s.periodic ? `, "periodic_${name}": true` : ''}, "knots_${name}": [${flat.map(number).join(', ')}]`,
    order: Array.from({ length: count }, (_, k) => (first + k) % count),
  };
}

function splineText(s: Surface & { kind: 'spline' }): string | null {
  if (s.u.degree > DEGREE_MOST || s.v.degree > DEGREE_MOST) return null;
  const u = axisText('u', s.u, s.poles.length);
  const v = axisText('v', s.v, s.poles[0]!.length);
  const table = (cell: (i: number, j: number) => string): string => `[${u.order.map((i) => `[${v.order.map((j) => cell(i, j)).join(', ')}]`).join(', ')}]`;
  let json = `{"kind": "nurbs", ${u.fields}, ${v.fields}, "points": ${table((i, j) => vector(s.poles[i]![j]!))}`;
  if (s.weights) json += `, "weights": ${table((i, j) => number(s.weights![i]![j]!))}`;
  return json + '}';
}

/** The range of a swept surface's own curve: widened, but not beyond the curve. */
function widenedWithin(c: Curve, lo: number, hi: number): [number, number] {
  const [a, b] = widened(lo, hi);
  if (c.kind === 'trimmed') return [Math.max(a, c.lo), Math.min(b, c.hi)];
  if (c.kind === 'spline' && !c.axis.periodic) return [Math.max(a, c.axis.knots[0]!), Math.min(b, c.axis.knots[c.axis.knots.length - 1]!)];
  const period = c.kind === 'circle' || c.kind === 'ellipse' ? 2 * Math.PI : c.kind === 'spline' ? c.axis.knots[c.axis.knots.length - 1]! - c.axis.knots[0]! : Infinity;
  return b - a <= period ? [a, b] : [lo, hi];
}

/** The slant of a cone stays on the face's side of the apex, where radius + v sin(angle) = 0. */
function coneText(s: Elementary, b: Bounds): string {
  const apex = -s.r / Math.sin(s.r2);
  const above = 0.5 * (b[2] + b[3]) > apex;
  let [v0, v1] = widened(b[2], b[3]);
  const near = 1e-7 * (b[3] - b[2]);
  if (above && v0 < apex + near) v0 = apex;
  if (!above && v1 > apex - near) v1 = apex;
  return `{"kind": "cone", ${frameText(s.frame)}, "radius": ${number(s.r)}, "angle": ${number(s.r2)}, "range_v": ${range(v0, v1)}}`;
}

const meetsAxis = (s: Elementary): boolean => s.r <= s.r2 * (1 + 1e-12);

/** A ring has all of v. A spindle ends at its axis: outside it is a torus over a range of v, inside the same arc turned about the axis. */
function torusText(s: Elementary, b: Bounds): string | null {
  const sizes = `${frameText(s.frame)}, "radius": ${number(s.r)}, "minor": ${number(s.r2)}`;
  if (!meetsAxis(s)) return `{"kind": "torus", ${sizes}}`;
  const turn = 2 * Math.PI;
  const end = Math.acos(-s.r / s.r2);
  const room = 1e-6;
  const middle = 0.5 * (b[2] + b[3]);
  let shift = turn * Math.round(middle / turn);
  if (b[2] >= shift - end - room && b[3] <= shift + end + room) return `{"kind": "torus", ${sizes}, "range_v": ${range(shift - end, shift + end)}}`;
  shift = turn * Math.floor(middle / turn);
  if (b[2] < shift + end - room || b[3] > shift + turn - end + room) return null;
  const f: Frame = { o: add(s.frame.o, s.frame.x, s.r), x: s.frame.x, y: s.frame.z, z: scaled(s.frame.y, -1) };
  const arc = curveText({ kind: 'circle', frame: f, r: s.r2, r2: 0 }, shift + end, shift + turn - end)!;
  return `{"kind": "revolution", ${frameText(s.frame)}, "range_v": ${range(arc.lo, arc.hi)}, "profile": ${arc.json}}`;
}

/** The part of a surface that a face with these bounds needs, or more. Null: not possible without an approximation. */
export function surfaceText(given: Surface, b: Bounds): string | null {
  const s = basisSurface(given);
  const v = widened(b[2], b[3]);
  switch (s.kind) {
    case 'plane':
      return `{"kind": "plane", ${frameText(s.frame)}, "range_u": ${range(...widened(b[0], b[1]))}, "range_v": ${range(...v)}}`;
    case 'cylinder':
      return `{"kind": "cylinder", ${frameText(s.frame)}, "radius": ${number(s.r)}, "range_v": ${range(...v)}}`;
    case 'cone':
      return coneText(s as Elementary, b);
    case 'sphere':
      return `{"kind": "sphere", ${frameText(s.frame)}, "radius": ${number(s.r)}}`;
    case 'torus':
      return torusText(s as Elementary, b);
    case 'revolution': {
      const profile = curveText(s.basis, ...widenedWithin(s.basis, b[2], b[3]));
      return profile && `{"kind": "revolution", ${frameText({ o: s.o, x: across(s.d), z: s.d })}, "range_v": ${range(profile.lo, profile.hi)}, "profile": ${profile.json}}`;
    }
    case 'extrusion': {
      const profile = curveText(s.basis, ...widenedWithin(s.basis, b[0], b[1]));
      return profile && `{"kind": "extrusion", "range_u": ${range(profile.lo, profile.hi)}, "range_v": ${range(...v)}, "direction": ${vector(s.d)}, "profile": ${profile.json}}`;
    }
    case 'spline':
      return splineText(s);
    default:
      return null;
  }
}

/** Where the parameters of surfaceText wrap: seams there are no edges. */
export function closedDirections(given: Surface): [boolean, boolean] {
  const s = basisSurface(given);
  if (s.kind === 'torus') return [true, !meetsAxis(s as Elementary)];
  if (s.kind === 'spline') return [s.u.periodic, s.v.periodic];
  return [['cylinder', 'cone', 'sphere', 'revolution'].includes(s.kind), false];
}
