// SPDX-License-Identifier: MIT
// Open CASCADE's own text of a shape ("CASCADE Topology"): geometry by number, then shapes that refer to it and to each other.
import { cross, inverse, product, type Curve, type Frame, type Place, type Spline1, type Surface, type Vec } from './shapes.js';

export type Kind = 'Ve' | 'Ed' | 'Wi' | 'Fa' | 'Sh' | 'So' | 'CS' | 'Co';

/** A shape as it is used: "+" as it stands, "-" turned round, "i" and "e" inside and outside. */
export interface Ref {
  shape: number;
  orientation: '+' | '-' | 'i' | 'e';
  place: number;
}

/** A parameter curve of an edge on a surface; `second` where the edge is passed the other way on a closed one. */
export interface OnSurface {
  curve: number;
  second: number;
  surface: number;
  place: number;
  lo: number;
  hi: number;
}

export interface Shape {
  kind: Kind;
  parts: Ref[];
  tolerance: number;
  /** Of a vertex. */
  point: Vec;
  /** Of an edge: number of its curve, 0 for none. */
  curve: number;
  curvePlace: number;
  lo: number;
  hi: number;
  degenerated: boolean;
  onSurfaces: OnSurface[];
  /** Of a face: number of its surface, 0 for none. */
  surface: number;
  surfacePlace: number;
}

const IDENTITY: Place = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

class Reader {
  private readonly words: string[];
  private at = 0;

  constructor(text: string) {
    this.words = text.trim().split(/\s+/);
  }

  word(): string {
    const w = this.words[this.at++];
    if (w === undefined) throw new Error('Open CASCADE’s text of the shape is cut short');
    return w;
  }

  peek(): string {
    return this.words[this.at] ?? '';
  }

  number(): number {
    const w = this.word();
    const x = Number(w);
    if (Number.isNaN(x)) throw new Error(`Open CASCADE’s text of the shape has "${w}" where a number is wanted`);
    return x;
  }

  numbers(n: number): number[] {
    return Array.from({ length: n }, () => this.number());
  }

  vec(dimension: number): Vec {
    return [this.number(), this.number(), dimension === 3 ? this.number() : 0];
  }

  /** Goes on behind the next `name`; the number after it. */
  section(name: string): number {
    while (this.peek() !== name) this.word();
    this.word();
    return this.number();
  }
}

function frame(r: Reader): Frame {
  const o = r.vec(3);
  const z = r.vec(3);
  const x = r.vec(3);
  return { o, z, x, y: r.vec(3) };
}

function flatFrame(r: Reader): Frame {
  const o = r.vec(2);
  const x = r.vec(2);
  const y = r.vec(2);
  return { o, x, y, z: cross(x, y) };
}

function knots(r: Reader, n: number): { knots: number[]; multiplicities: number[] } {
  const out = { knots: [] as number[], multiplicities: [] as number[] };
  for (let i = 0; i < n; i++) {
    out.knots.push(r.number());
    out.multiplicities.push(r.number());
  }
  return out;
}

const whole = (degree: number): Spline1 => ({ degree, periodic: false, knots: [0, 1], multiplicities: [degree + 1, degree + 1] });

function splineCurve(r: Reader, dimension: number, bezier: boolean): Curve {
  const rational = r.number() !== 0;
  const periodic = !bezier && r.number() !== 0;
  const degree = r.number();
  const count = bezier ? degree + 1 : r.number();
  const knotCount = bezier ? 0 : r.number();
  const poles: Vec[] = [];
  const weights: number[] = [];
  for (let i = 0; i < count; i++) {
    poles.push(r.vec(dimension));
    if (rational) weights.push(r.number());
  }
  const axis = bezier ? whole(degree) : { degree, periodic, ...knots(r, knotCount) };
  return { kind: 'spline', axis, poles, weights: rational ? weights : null, bezier };
}

function curve(r: Reader, dimension: number): Curve {
  const kind = r.number();
  const place = (): Frame => (dimension === 3 ? frame(r) : flatFrame(r));
  if (kind === 1) return { kind: 'line', o: r.vec(dimension), d: r.vec(dimension) };
  if (kind === 2) return { kind: 'circle', frame: place(), r: r.number(), r2: 0 };
  if (kind === 3) return { kind: 'ellipse', frame: place(), r: r.number(), r2: r.number() };
  if (kind === 4) return { kind: 'parabola', frame: place(), r: r.number(), r2: 0 };
  if (kind === 5) return { kind: 'hyperbola', frame: place(), r: r.number(), r2: r.number() };
  if (kind === 6 || kind === 7) return splineCurve(r, dimension, kind === 6);
  if (kind === 8) return { kind: 'trimmed', lo: r.number(), hi: r.number(), basis: curve(r, dimension) };
  if (kind === 9) {
    r.number();
    if (dimension === 3) r.vec(3);
    return { kind: 'offset', basis: curve(r, dimension) };
  }
  throw new Error(`Open CASCADE’s text of the shape has a curve of an unknown kind, ${kind}`);
}

function splineSurface(r: Reader, bezier: boolean): Surface {
  const rational = [r.number(), r.number()].some((x) => x !== 0);
  const periodic = bezier ? [0, 0] : r.numbers(2);
  const degrees = r.numbers(2);
  const counts = bezier ? degrees.map((d) => d + 1) : r.numbers(2);
  const knotCounts = bezier ? [] : r.numbers(2);
  const poles: Vec[][] = [];
  const weights: number[][] = [];
  for (let i = 0; i < counts[0]!; i++) {
    poles.push([]);
    weights.push([]);
    for (let j = 0; j < counts[1]!; j++) {
      poles[i]!.push(r.vec(3));
      if (rational) weights[i]!.push(r.number());
    }
  }
  const axis = (k: 0 | 1): Spline1 => (bezier ? whole(degrees[k]!) : { degree: degrees[k]!, periodic: periodic[k] !== 0, ...knots(r, knotCounts[k]!) });
  const u = axis(0);
  return { kind: 'spline', u, v: axis(1), poles, weights: rational ? weights : null, bezier };
}

function surface(r: Reader): Surface {
  const kind = r.number();
  if (kind === 1) return { kind: 'plane', frame: frame(r), r: 0, r2: 0 };
  if (kind === 2) return { kind: 'cylinder', frame: frame(r), r: r.number(), r2: 0 };
  if (kind === 3) return { kind: 'cone', frame: frame(r), r: r.number(), r2: r.number() };
  if (kind === 4) return { kind: 'sphere', frame: frame(r), r: r.number(), r2: 0 };
  if (kind === 5) return { kind: 'torus', frame: frame(r), r: r.number(), r2: r.number() };
  if (kind === 6) return { kind: 'extrusion', d: r.vec(3), basis: curve(r, 3) };
  if (kind === 7) return { kind: 'revolution', o: r.vec(3), d: r.vec(3), basis: curve(r, 3) };
  if (kind === 8 || kind === 9) return splineSurface(r, kind === 8);
  if (kind === 10) return { kind: 'trimmed', box: r.numbers(4) as [number, number, number, number], basis: surface(r) };
  if (kind === 11) {
    r.number();
    return { kind: 'offset', basis: surface(r) };
  }
  throw new Error(`Open CASCADE’s text of the shape has a surface of an unknown kind, ${kind}`);
}

/** A place on its own, or a product of powers of others. */
function location(r: Reader, known: Place[]): Place {
  if (r.number() === 1) return r.numbers(12);
  let out = IDENTITY;
  for (;;) {
    const index = r.number();
    if (index === 0) return out;
    const power = r.number();
    const factor = power < 0 ? inverse(known[index]!) : known[index]!;
    for (let i = 0; i < Math.abs(power); i++) out = product(out, factor);
  }
}

function refs(r: Reader): Ref[] {
  const out: Ref[] = [];
  for (let w = r.word(); w !== '*'; w = r.word())
    out.push({ orientation: w[0] as Ref['orientation'], shape: Number(w.slice(1)), place: r.number() });
  return out;
}

/** The second parameter curve, with a continuity behind it, "86CN" or "86 CN": not needed. */
function secondCurve(r: Reader): number {
  const w = r.word();
  if (/^\d+$/.test(w)) r.word();
  return parseInt(w, 10);
}

/** What is said of an edge, up to the 0 at its end. */
function edge(r: Reader, s: Shape): void {
  s.tolerance = r.number();
  r.numbers(2);
  s.degenerated = r.number() !== 0;
  for (let what = r.number(); what !== 0; what = r.number()) {
    if (what === 1) [s.curve, s.curvePlace, s.lo, s.hi] = r.numbers(4) as [number, number, number, number];
    else if (what === 2 || what === 3) {
      const curveNumber = r.number();
      const second = what === 3 ? secondCurve(r) : 0;
      const [on, place, lo, hi] = r.numbers(4) as [number, number, number, number];
      s.onSurfaces.push({ curve: curveNumber, second, surface: on, place, lo, hi });
    } else if (what === 4) {
      r.word();
      r.numbers(4);
    } else if (what === 5) r.numbers(2);
    else if (what === 6) r.numbers(3);
    else if (what === 7) r.numbers(4);
    else throw new Error(`Open CASCADE’s text of an edge has an entry of an unknown kind, ${what}`);
  }
}

/** Points of a vertex on curves and surfaces, up to "0 0": not needed. */
function skipPoints(r: Reader): void {
  for (;;) {
    r.number();
    const what = r.number();
    if (what === 0) return;
    r.numbers(what === 1 ? 2 : what === 2 ? 3 : 3);
  }
}

function shape(r: Reader): Shape {
  const kind = r.word() as Kind;
  const s: Shape = {
    kind, parts: [], tolerance: 0, point: [0, 0, 0], curve: 0, curvePlace: 0, lo: 0, hi: 0, degenerated: false, onSurfaces: [], surface: 0, surfacePlace: 0,
  };
  if (kind === 'Ve') {
    s.tolerance = r.number();
    s.point = r.vec(3);
    skipPoints(r);
  } else if (kind === 'Ed') edge(r, s);
  else if (kind === 'Fa') {
    r.number();
    s.tolerance = r.number();
    [s.surface, s.surfacePlace] = r.numbers(2) as [number, number];
    if (r.peek() === '2') r.numbers(2);
  }
  r.word(); // flags
  s.parts = refs(r);
  return s;
}

/** Geometry counts from 1, as in the text; shapes from the last to the first. */
export class Brep {
  readonly places: Place[] = [IDENTITY];
  readonly curves2: Curve[] = [];
  readonly curves: Curve[] = [];
  readonly surfaces: Surface[] = [];
  readonly shapes: Shape[] = [];
  readonly root: Ref;

  constructor(text: string) {
    const r = new Reader(text);
    for (let n = r.section('Locations'); n > 0; n--) this.places.push(location(r, this.places));
    for (let n = r.section('Curve2ds'); n > 0; n--) this.curves2.push(curve(r, 2));
    for (let n = r.section('Curves'); n > 0; n--) this.curves.push(curve(r, 3));
    for (let n = r.section('Surfaces'); n > 0; n--) this.surfaces.push(surface(r));
    for (let n = r.section('TShapes'); n > 0; n--) this.shapes.push(shape(r));
    const w = r.word();
    this.root = { orientation: w[0] as Ref['orientation'], shape: Number(w.slice(1)), place: r.number() };
  }

  shape(ref: Ref): Shape {
    return this.shapes[this.shapes.length - ref.shape]!;
  }
}
