// SPDX-License-Identifier: MIT
// Bodies, the models that hold them, and triangles for drawing.
import { Engine } from './engine.js';
import { BODY_KINDS, FEATURES, POSE } from './layout.js';
import { Owned } from './owned.js';
import { vec, type FeatureKind, type Vec3 } from './types.js';

/** Triangles for drawing. Positions are relative to `centre`. Copies: they outlive the body. */
export interface Mesh {
  centre: Vec3;
  positions: Float32Array;
  normals: Float32Array;
  parameters: Float32Array;
  triangles: Uint32Array;
  /** Triangles of face f: faces[f] to faces[f + 1]. */
  faces: Int32Array;
  lines: Float32Array;
  /** Points of edge e: edges[e] to edges[e + 1]. */
  edges: Int32Array;
  corners: Float32Array;
  /** Pieces of borders that could not be kept: there the drawing is coarse. */
  dropped: number;
}

export class Body {
  readonly kind: (typeof BODY_KINDS)[number];
  readonly planar: boolean;
  readonly unbounded: boolean;
  readonly faceCount: number;
  readonly edgeCount: number;
  readonly vertexCount: number;
  readonly box: { lo: Vec3; hi: Vec3 };
  /** Diagonal of the box. */
  readonly size: number;
  /** Every edge is passed as often one way as the other. */
  readonly closed: boolean;
  /** Closed, and far away is proved to be outside. */
  readonly outward: boolean;

  /** `owner` keeps the model alive. */
  constructor(private readonly engine: Engine, readonly pointer: number, readonly name: string, readonly owner: object) {
    const d = engine.fill(15, (at) => void engine.fn('body_describe')(pointer, at));
    this.kind = BODY_KINDS[d[0]!]!;
    this.planar = d[1] !== 0;
    this.unbounded = d[2] !== 0;
    this.faceCount = d[3]!;
    this.edgeCount = d[4]!;
    this.vertexCount = d[5]!;
    this.box = { lo: vec(d, 6), hi: vec(d, 9) };
    this.size = d[12]!;
    this.closed = d[13] !== 0;
    this.outward = d[14] !== 0;
  }

  check(): { watertight: boolean; oriented: boolean; convex: boolean; convexWithin: number; area: number; volume: number } {
    const c = this.engine.fill(8, (at) => void this.engine.fn('body_check')(this.pointer, at));
    return {
      watertight: c[0] !== 0, oriented: c[1] !== 0, convex: c[2] !== 0, convexWithin: c[3]!, area: c[4]!, volume: c[5]!,
    };
  }

  /** The name of a feature, or "edge 3" where it has none. */
  featureName(kind: FeatureKind, id: number): string {
    if (kind === 'point' || id < 0) return kind;
    const e = this.engine;
    return e.text(e.fn('body_feature_name')(this.pointer, FEATURES.indexOf(kind), id)) || `${kind} ${id}`;
  }

  faceKind(face: number): string {
    return this.engine.text(this.engine.fn('body_face_kind')(this.pointer, face));
  }

  /** The parameter box of a face: u.lo, u.hi, v.lo, v.hi. */
  faceBox(face: number): Float64Array {
    return this.engine.fill(4, (at) => void this.engine.fn('body_face_box')(this.pointer, face, at));
  }

  contains(face: number, u: number, v: number): boolean {
    return this.engine.fn('body_contains')(this.pointer, face, u, v) !== 0;
  }

  /** Point and outward normal at a place, in the axes of the body. */
  place(kind: FeatureKind, id: number, u: number, v: number): { point: Vec3; normal: Vec3 } {
    const p = this.engine.fill(6, (at) => {
      if (!this.engine.fn('body_place')(this.pointer, FEATURES.indexOf(kind), id, u, v, at))
        throw new RangeError(`the body has no ${kind} ${id}`);
    });
    return { point: vec(p, 0), normal: vec(p, 3) };
  }

  mesh(options: { chord?: number; angle?: number; extent?: number } = {}): Mesh {
    const e = this.engine;
    const size = Number.isFinite(this.size) && this.size > 0 ? this.size : 1;
    const m = e.made(e.fn('mesh_make')(this.pointer, options.chord ?? 4e-4 * size, options.angle ?? 0.2, options.extent ?? size));
    try {
      const count = (k: number): number => e.fn('mesh_count')(m, k);
      const floats = (k: number, n: number): Float32Array =>
        n ? new Float32Array(e.memory.buffer, e.fn('mesh_array')(m, k), n).slice() : new Float32Array();
      const ints = (k: number, n: number): Int32Array =>
        n ? new Int32Array(e.memory.buffer, e.fn('mesh_array')(m, k), n).slice() : new Int32Array();
      return {
        centre: vec(e.row(e.fn('mesh_centre')(m), 3), 0),
        positions: floats(0, 3 * count(0)),
        normals: floats(1, 3 * count(0)),
        parameters: floats(2, 2 * count(0)),
        triangles: new Uint32Array(ints(3, 3 * count(1)).buffer),
        faces: ints(4, count(3) + 1),
        lines: floats(5, 3 * count(2)),
        edges: ints(6, count(4) + 1),
        corners: floats(7, 3 * count(5)),
        dropped: count(6),
      };
    } finally {
      e.fn('mesh_free')(m);
    }
  }
}

export class Model extends Owned {
  readonly name: string;
  readonly note: string;
  readonly unit: string;
  readonly bodies: Body[] = [];

  constructor(engine: Engine, pointer: number) {
    super(engine, pointer, 'model');
    this.name = engine.text(engine.fn('model_text')(pointer, 0));
    this.note = engine.text(engine.fn('model_text')(pointer, 1));
    this.unit = engine.text(engine.fn('model_text')(pointer, 2));
    const count = engine.fn('model_body_count')(pointer);
    for (let i = 0; i < count; i++) {
      const name = engine.text(engine.fn('model_body_name')(pointer, i));
      this.bodies.push(new Body(engine, engine.fn('model_body')(pointer, i), name, this));
    }
  }

  /** Where body `index` stands in the model. */
  pose(index: number): Float64Array {
    return this.engine.fill(POSE, (at) => void this.engine.fn('model_body_pose')(this.pointer, index, at));
  }

  /** Colour of a face, or of the body (face -1): red, green, blue from 0 to 1; null where none is given. */
  color(index: number, face = -1): Vec3 | null {
    let there = 0;
    const c = this.engine.fill(3, (at) => void (there = this.engine.fn('model_color')(this.pointer, index, face, at)));
    return there ? vec(c, 0) : null;
  }
}
