// SPDX-License-Identifier: MIT
// One body of Open CASCADE as features in text, from which the body, or one face of it, is put together; as cad/body_text.cpp does it.
// Seams of closed surfaces and degenerate edges are left out: they are not features of a body.
import type { Brep, OnSurface, Ref, Shape } from './brep.js';
import type { Statement } from './sense.js';
import { cross, curvePoint, distance, dot, movedCurve, movedPoint, movedSurface, product, surfacePoint, type Curve, type Elementary, type Place, type Surface, type Vec } from './shapes.js';
import { closedDirections, curveText, number, range, surfaceText, vector, type Bounds } from './text.js';

const CLOSE = 1e-8; // of the size: parameter curves further from their edges are left to the library,
const CLOSE_MOST = 1e-6; // between the two the edge's own tolerance decides
const SAMPLES = 40;

/** Which parameter curves of a face are taken over. The others are made by the library from the edges. */
export type Take = 'close' | 'all' | 'none';

interface Use {
  edge: number;
  reversed: boolean;
  from: string;
  to: string;
  curve: string;
  off: number;
  needed: boolean;
  /** Of the file: 1 it is passed so, -1 the other way round, 0 nothing. */
  said: number;
}

interface Edge {
  curve: string;
  start: number;
  end: number;
  tolerance: number;
  original: Curve | null;
  lo: number;
  hi: number;
}

interface Face {
  surface: string;
  reversed: boolean;
  loops: Use[][];
  take: Take;
  /** What the file says of its side; null: nothing. */
  saidReversed: boolean | null;
}

/** A shape met on the way down, with the turns and places of what holds it. */
interface Found {
  ref: Ref;
  shape: Shape;
  place: Place | null;
  key: string;
  reversed: boolean;
}

function isIdentity(p: Place): boolean {
  return p.every((x, i) => x === (i % 5 === 0 ? 1 : 0));
}

export class BodyText {
  readonly edges: Edge[] = [];
  readonly faces: Face[] = [];
  readonly points: Vec[] = [];
  tolerance = 0;
  size = 0;
  close = 0;
  solid = false;
  private readonly edgeIds = new Map<string, number>();
  private readonly vertexIds = new Map<string, number>();

  /** Refuses by an Error whose message names the face or edge. */
  constructor(private readonly brep: Brep, statements: (Statement | null)[] = []) {
    const root = this.found(brep.root, null, '', false);
    this.solid = root.shape.kind === 'So';
    const faces = [...this.within(root, 'Fa')];
    this.findFeatures(root, faces);
    faces.forEach((f, k) => {
      try {
        this.faces.push(this.face(f, statements[k] ?? null));
      } catch (e) {
        throw new Error(`face ${k}: ${e instanceof Error ? e.message : String(e)}`);
      }
    });
  }

  // ---- the way down

  private found(ref: Ref, place: Place | null, key: string, reversed: boolean): Found {
    const own = this.brep.places[ref.place]!;
    const here = ref.place && !isIdentity(own) ? (place ? product(place, own) : own) : place;
    const path = ref.place && !isIdentity(own) ? `${key}.${ref.place}` : key;
    return { ref, shape: this.brep.shape(ref), place: here, key: `${ref.shape}@${path}`, reversed: reversed !== (ref.orientation === '-') };
  }

  private parts(of: Found): Found[] {
    const path = of.key.slice(of.key.indexOf('@') + 1);
    return of.shape.parts.map((r) => this.found(r, of.place, path, of.reversed));
  }

  private *within(of: Found, kind: Shape['kind']): Generator<Found> {
    if (of.shape.kind === kind) yield of;
    else for (const p of this.parts(of)) yield* this.within(p, kind);
  }

  /** The face as its surface has it, without its own turn. */
  private forward(face: Found): Found {
    return { ...face, reversed: false };
  }

  private surfaceOf(face: Found): Surface | null {
    const s = face.shape;
    if (!s.surface) return null;
    return movedSurface(this.placeOf(face.place, s.surfacePlace), this.brep.surfaces[s.surface - 1]!);
  }

  private placeOf(outer: Place | null, index: number): Place | null {
    const own = this.brep.places[index]!;
    if (!index || isIdentity(own)) return outer;
    return outer ? product(outer, own) : own;
  }

  private onSurface(edge: Found, face: Found): OnSurface | null {
    return edge.shape.onSurfaces.find((c) => c.surface === face.shape.surface) ?? null;
  }

  /** The parameter curve of an edge as a face passes it. */
  private parameterCurve(edge: Found, face: Found, reversed = edge.reversed): { curve: Curve; lo: number; hi: number } | null {
    const on = this.onSurface(edge, face);
    if (!on) return null;
    return { curve: this.brep.curves2[(reversed && on.second ? on.second : on.curve) - 1]!, lo: on.lo, hi: on.hi };
  }

  private ends(edge: Found): [string, string] {
    let first = '';
    let last = '';
    for (const v of this.parts({ ...edge, reversed: false })) {
      if (v.ref.orientation === '+') first = v.key;
      if (v.ref.orientation === '-') last = v.key;
    }
    return edge.reversed ? [last, first] : [first, last];
  }

  // ---- features

  private isSeam(edge: Found, face: Found, surface: Surface, twice: Set<string>): boolean {
    const on = this.onSurface(edge, face);
    if (!twice.has(edge.key) || !on?.second) return false;
    const middle = 0.5 * (on.lo + on.hi);
    const p = curvePoint(this.brep.curves2[on.curve - 1]!, middle);
    const q = curvePoint(this.brep.curves2[on.second - 1]!, middle);
    const [closedU, closedV] = closedDirections(surface);
    const [du, dv] = [Math.abs(p[0] - q[0]), Math.abs(p[1] - q[1])];
    const [lu, lv] = this.lengths(surface);
    return du / lu > dv / lv ? closedU : closedV;
  }

  /** How far the parameters of a surface run; Infinity where they have no end. */
  private lengths(s: Surface): [number, number] {
    const turn = 2 * Math.PI;
    if (s.kind === 'trimmed') return [s.box[1] - s.box[0], s.box[3] - s.box[2]];
    if (s.kind === 'spline') return [s.u, s.v].map((a) => a.knots[a.knots.length - 1]! - a.knots[0]!) as [number, number];
    if (s.kind === 'torus') return [turn, turn];
    if (s.kind === 'sphere') return [turn, Math.PI];
    return [['cylinder', 'cone', 'revolution'].includes(s.kind) ? turn : Infinity, Infinity];
  }

  /** The edges that a face passes twice. */
  private passedTwice(face: Found): Set<string> {
    const once = new Set<string>();
    const twice = new Set<string>();
    for (const e of this.within(face, 'Ed')) (once.has(e.key) ? twice : once).add(e.key);
    return twice;
  }

  // Edges that some face uses. A vertex that only its own closed edge touches is where somebody began to draw, and no feature.
  private findFeatures(root: Found, faces: Found[]): void {
    const used = new Set<string>();
    for (const face of faces) {
      const s = this.surfaceOf(face);
      const twice = this.passedTwice(face);
      for (const e of this.within(face, 'Ed')) if (s && !e.shape.degenerated && !this.isSeam(e, face, s, twice)) used.add(e.key);
    }
    const ends = new Map<string, number>();
    const rings = new Map<string, number>();
    const kept: Found[] = [];
    const seen = new Set<string>();
    for (const e of this.within(root, 'Ed')) {
      if (!used.has(e.key) || seen.has(e.key)) continue;
      seen.add(e.key);
      this.edgeIds.set(e.key, kept.length);
      kept.push({ ...e, reversed: false });
      const [a, b] = this.ends(kept[kept.length - 1]!);
      if (!a || !b) continue;
      if (a === b) rings.set(a, (rings.get(a) ?? 0) + 1);
      else for (const v of [a, b]) ends.set(v, (ends.get(v) ?? 0) + 1);
    }
    for (const v of this.within(root, 'Ve')) {
      if (this.vertexIds.has(v.key) || (!ends.get(v.key) && (rings.get(v.key) ?? 0) < 2)) continue;
      this.vertexIds.set(v.key, this.points.length);
      this.points.push(movedPoint(v.place, v.shape.point));
      this.tolerance = Math.max(this.tolerance, v.shape.tolerance);
    }
    this.convertEdges(kept);
  }

  private convertEdges(kept: Found[]): void {
    const lo: Vec = [Infinity, Infinity, Infinity];
    const hi: Vec = [-Infinity, -Infinity, -Infinity];
    const grow = (p: Vec): void => p.forEach((x, i) => {
      lo[i] = Math.min(lo[i]!, x);
      hi[i] = Math.max(hi[i]!, x);
    });
    this.points.forEach(grow);
    kept.forEach((e, k) => {
      const s = e.shape;
      const original = s.curve ? movedCurve(this.placeOf(e.place, s.curvePlace), this.brep.curves[s.curve - 1]!) : null;
      const edge: Edge = { curve: '', start: -1, end: -1, tolerance: s.tolerance, original, lo: s.lo, hi: s.hi };
      if (original) {
        if (Math.abs(s.lo) > 1e99 || Math.abs(s.hi) > 1e99) throw new Error(`edge ${k} has no end`);
        const t = curveText(original, s.lo, s.hi);
        if (!t) throw new Error(`edge ${k} is a curve that would have to be approximated, which the page does not do`);
        edge.curve = `"curve": ${t.json}, "range": ${range(t.lo, t.hi)}`;
        for (let i = 0; i <= SAMPLES; i++) grow(curvePoint(original, s.lo + ((s.hi - s.lo) * i) / SAMPLES));
      }
      this.tolerance = Math.max(this.tolerance, s.tolerance);
      const [from, to] = this.ends(e).map((v) => this.vertexIds.get(v) ?? -1) as [number, number];
      if (from >= 0 && to >= 0) [edge.start, edge.end] = [from, to];
      this.edges.push(edge);
    });
    this.size = lo[0] <= hi[0] ? distance(lo, hi) : 0;
  }

  // ---- faces

  private use(edge: Found, face: Found, surface: Surface): Use {
    const [from, to] = this.ends(edge);
    const id = this.edgeIds.get(edge.key)!;
    const e = this.edges[id]!;
    const u: Use = { edge: id, reversed: edge.reversed, from, to, curve: '', off: 0, needed: !e.original, said: 0 };
    const on = this.parameterCurve(edge, face);
    const t = on && curveText(on.curve, on.lo, on.hi);
    if (!on || !t) return u;
    u.curve = `, "parameter_curve": ${t.json}, "range": ${range(t.lo, t.hi)}`;
    for (let i = 0; !u.needed && i <= SAMPLES; i++) {
      const uv = curvePoint(on.curve, on.lo + ((on.hi - on.lo) * i) / SAMPLES);
      u.off = Math.max(u.off, distance(surfacePoint(surface, uv[0], uv[1]), curvePoint(e.original!, e.lo + ((e.hi - e.lo) * i) / SAMPLES)));
    }
    return u;
  }

  /** The edges of a wire one after the other; where several go on, the one that begins nearest in the parameters. */
  private ordered(wire: Found, face: Found): Found[] {
    const left = this.parts(wire).filter((p) => p.shape.kind === 'Ed');
    const out = left.splice(0, 1);
    const ending = (e: Found, last: boolean): Vec | null => {
      const c = this.parameterCurve(e, face);
      return c && curvePoint(c.curve, last !== e.reversed ? c.hi : c.lo);
    };
    while (left.length) {
      const now = out[out.length - 1]!;
      const at = this.ends(now)[1];
      const goOn = left.filter((e) => this.ends(e)[0] === at);
      if (!goOn.length) throw new Error('a wire of it does not hang together');
      const uv = ending(now, true);
      let next = goOn[0]!;
      if (goOn.length > 1 && uv) {
        const far = (e: Found): number => {
          const p = ending(e, false);
          return p ? distance(p, uv) : Infinity;
        };
        for (const e of goOn) if (far(e) < far(next) - 1e-12) next = e;
      }
      out.push(next);
      left.splice(left.indexOf(next), 1);
    }
    return out;
  }

  /** The wire without its seams and degenerate edges: a seam cuts it into chains. */
  private wire(wire: Found, face: Found, surface: Surface, twice: Set<string>): Use[][] {
    const chains: Use[][] = [[]];
    let cut = false;
    for (const e of this.ordered(wire, face)) {
      if (e.shape.degenerated) continue;
      if (this.isSeam(e, face, surface, twice)) {
        cut = true;
        if (chains[chains.length - 1]!.length) chains.push([]);
      } else chains[chains.length - 1]!.push(this.use(e, face, surface));
    }
    if (!chains[chains.length - 1]!.length) chains.pop();
    // what stands before the first seam goes on from what stands after the last one
    const last = chains[chains.length - 1];
    if (cut && last && chains.length > 1 && last[last.length - 1]!.to === chains[0]![0]!.from && last[0]!.from !== last[last.length - 1]!.to) {
      last.push(...chains[0]!);
      chains.shift();
    }
    return chains;
  }

  private bounds(face: Found, surface: Surface): Bounds {
    const b: Bounds = [Infinity, -Infinity, Infinity, -Infinity];
    const grow = (u: number, v: number): void => {
      b[0] = Math.min(b[0], u);
      b[1] = Math.max(b[1], u);
      b[2] = Math.min(b[2], v);
      b[3] = Math.max(b[3], v);
    };
    for (const e of this.within(face, 'Ed')) {
      const c = this.parameterCurve(e, face);
      for (let i = 0; i <= SAMPLES; i++) {
        if (c) grow(...(curvePoint(c.curve, c.lo + ((c.hi - c.lo) * i) / SAMPLES).slice(0, 2) as [number, number]));
        else if (surface.kind === 'plane' && e.shape.curve) {
          const s = e.shape;
          const p = curvePoint(movedCurve(this.placeOf(e.place, s.curvePlace), this.brep.curves[s.curve - 1]!), s.lo + ((s.hi - s.lo) * i) / SAMPLES);
          const d: Vec = [p[0] - surface.frame.o[0], p[1] - surface.frame.o[1], p[2] - surface.frame.o[2]];
          grow(dot(d, surface.frame.x), dot(d, surface.frame.y));
        }
      }
    }
    if (surface.kind === 'trimmed' && !Number.isFinite(b[0])) return surface.box;
    const [lu, lv] = this.lengths(surface);
    if (!Number.isFinite(b[0]) && Number.isFinite(lu) && Number.isFinite(lv)) {
      if (surface.kind === 'spline') return [surface.u.knots[0]!, surface.u.knots[0]! + lu, surface.v.knots[0]!, surface.v.knots[0]! + lv];
      return surface.kind === 'sphere' ? [0, lu, -lv / 2, lv / 2] : [0, lu, 0, lv];
    }
    if (!b.every(Number.isFinite)) throw new Error('it has no end: no loop bounds it');
    return b;
  }

  private face(given: Found, statement: Statement | null): Face {
    const face = this.forward(given);
    const surface = this.surfaceOf(face);
    if (!surface) throw new Error('it has no surface: facets only');
    const loops: Use[][] = [];
    const twice = this.passedTwice(face);
    // a left-handed frame is made right-handed: the parameters mirror, so the loops turn and the other side is out
    const mirrored = 'frame' in surface && dot(cross(surface.frame.x, surface.frame.y), surface.frame.z) < 0;
    const shape = mirrored ? ({ ...surface, frame: { ...surface.frame, y: surface.frame.y.map((x) => -x) as Vec } } as Elementary) : surface;
    const bounds = this.bounds(face, surface);
    if (mirrored) surface.kind === 'plane' ? ([bounds[2], bounds[3]] = [-bounds[3], -bounds[2]]) : ([bounds[0], bounds[1]] = [-bounds[1], -bounds[0]]);
    const text = surfaceText(shape, bounds);
    if (!text) throw new Error(surface.kind === 'torus' ? 'its torus is wider than its ring, and the face runs through the axis, where the torus meets itself'
      : 'its surface would have to be approximated, which the page does not do: witness import does');
    for (const w of this.parts(face)) if (w.shape.kind === 'Wi') loops.push(...this.wire(w, face, surface, twice));
    joinChains(loops);
    if (statement) this.markUses(face, loops, statement);
    if (mirrored) for (const l of loops) turn(l);
    return { surface: text, reversed: given.reversed !== mirrored, loops, take: mirrored ? 'none' : 'close', saidReversed: statement ? statement.reversed !== mirrored : null };
  }

  /** Edges that the face passes twice, once each way, cancel. */
  private markUses(face: Found, loops: Use[][], statement: Statement): void {
    const said = new Map<number, number>();
    let k = 0;
    for (const e of this.within(face, 'Ed')) {
      const id = this.edgeIds.get(e.key) ?? -1;
      const way = statement.passes[k++] ?? 0;
      said.set(id, (said.get(id) ?? 0) + (e.reversed ? -way : way));
    }
    for (const u of loops.flat()) u.said = Math.sign(said.get(u.edge) ?? 0);
  }

  // ---- what the file says

  /** Faces that lie otherwise than the file says, and the first that contradicts itself, -1 for none. */
  differing(): { count: number; contradicts: number } {
    let count = 0;
    let contradicts = -1;
    this.faces.forEach((f, k) => {
      const said = f.loops.map(statementOf);
      if (contradicts < 0 && said.includes(2)) contradicts = k;
      if ((f.saidReversed !== null && f.saidReversed !== f.reversed) || said.includes(-1)) count++;
    });
    return { count, contradicts };
  }

  /** The faces as the file says; what it gives back makes them as they were read. */
  takeStatement(): () => void {
    const before = this.faces.map((f) => ({ reversed: f.reversed, loops: f.loops, take: f.take }));
    for (const f of this.faces) {
      f.loops = f.loops.map((l) => l.map((u) => ({ ...u })));
      for (const l of f.loops) if (statementOf(l) === -1) turn(l);
      if (f.saidReversed !== null) f.reversed = f.saidReversed;
    }
    return () => this.faces.forEach((f, k) => Object.assign(f, before[k]));
  }

  // ---- the text

  turnOver(): void {
    for (const f of this.faces) f.reversed = !f.reversed;
  }

  taken(face: Face, use: Use): boolean {
    if (!use.curve) return false;
    if (use.needed) return true;
    const near = Math.max(CLOSE * this.size, Math.min(CLOSE_MOST * this.size, this.edges[use.edge]!.tolerance));
    return face.take === 'all' || (face.take === 'close' && use.off <= near);
  }

  /** The parameter curves that json() leaves to the library, and how far they lie off their edges. */
  notTaken(): { count: number; worst: number } {
    const left = this.faces.flatMap((f) => f.loops.flat().filter((u) => u.curve && !this.taken(f, u)));
    return { count: left.length, worst: Math.max(0, ...left.map((u) => u.off)) };
  }

  /** The body without its name: {"kind": ..., ...}. -1: all of it; else that face alone, as a sheet. */
  json(only = -1): string {
    const faces = only < 0 ? this.faces : [this.faces[only]!];
    const edgeNumber = new Map<number, number>();
    const pointNumber = new Map<number, number>();
    const wanted = only < 0 ? this.edges.map((_, i) => i) : [...new Set(faces.flatMap((f) => f.loops.flat().map((u) => u.edge)))].sort((a, b) => a - b);
    wanted.forEach((e, i) => edgeNumber.set(e, i));
    const ends = new Set(wanted.flatMap((e) => [this.edges[e]!.start, this.edges[e]!.end]).filter((p) => p >= 0));
    const points = this.points.map((_, i) => i).filter((i) => only < 0 || ends.has(i));
    points.forEach((p, i) => pointNumber.set(p, i));
    const edgeList = wanted.map((k) => {
      const e = this.edges[k]!;
      const fields = [e.curve, e.start >= 0 ? `"start": ${pointNumber.get(e.start)}, "end": ${pointNumber.get(e.end)}` : ''].filter(Boolean);
      return `{${fields.join(', ')}}`;
    });
    const faceList = faces.map((f) => {
      const loops = f.loops.map((loop) => `[${loop.map((u) => `{"edge": ${edgeNumber.get(u.edge)}${u.reversed ? ', "reversed": true' : ''}${this.taken(f, u) ? u.curve : ''}}`).join(', ')}]`);
      return `{"surface": ${f.surface}${f.reversed ? ', "reversed": true' : ''}${loops.length ? `, "loops": [\n        ${loops.join(',\n        ')}\n      ]` : ''}}`;
    });
    const list = (name: string, items: string[]): string => (items.length ? `,\n    "${name}": [\n      ${items.join(',\n      ')}\n    ]` : '');
    return `"kind": "${this.solid && only < 0 ? 'solid' : 'sheet2'}"${this.close > 0 ? `, "close_tolerance": ${number(this.close)}` : ''}`
      + `${list('vertices', points.map((p) => `{"point": ${vector(this.points[p]!)}}`))}${list('edges', edgeList)}${list('faces', faceList)}`;
  }
}

/** Chains that do not come back to where they began are joined end to end. */
function joinChains(chains: Use[][]): void {
  for (let i = 0; i < chains.length; i++) {
    for (;;) {
      const c = chains[i]!;
      const end = c[c.length - 1]!.to;
      if (c[0]!.from === end) break;
      const j = chains.findIndex((o, k) => k > i && o[0]!.from === end);
      if (j < 0) break;
      c.push(...chains.splice(j, 1)[0]!);
    }
  }
}

/** What the file says of a loop: 1 as it is, -1 the other way round, 0 nothing, 2 both. */
function statementOf(loop: Use[]): number {
  const same = loop.some((u) => u.said > 0);
  const turned = loop.some((u) => u.said < 0);
  return same && turned ? 2 : same ? 1 : turned ? -1 : 0;
}

function turn(loop: Use[]): void {
  loop.reverse();
  for (const u of loop) {
    u.reversed = !u.reversed;
    u.said = -u.said;
    [u.from, u.to] = [u.to, u.from];
  }
}
