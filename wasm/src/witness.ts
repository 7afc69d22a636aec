// SPDX-License-Identifier: MIT
// Bodies, queries, trackers and worlds, as objects over the module.
import { Engine } from './engine.js';
import {
  BODY_KINDS, CLOSEST, FEATURES, FEEDBACKS, FLAG, FORCE, FORMS, INTEGRATORS, LAWS, MOTION, OUTCOMES, POSE, PREDICTIONS, REASONS,
  RESULT, SETTINGS, SWITCHINGS,
} from './layout.js';

export type Vec3 = [number, number, number];
/** x, y, z, qw, qx, qy, qz: a point r of the body stands at (x, y, z) + rotation * r. */
export type Pose = ArrayLike<number>;
export type FeatureKind = (typeof FEATURES)[number];
export type Law = (typeof LAWS)[number];
export type Integrator = (typeof INTEGRATORS)[number];

export const IDENTITY: Readonly<Float64Array> = new Float64Array([0, 0, 0, 1, 0, 0, 0]);

/** Where on a body: a feature, its parameters, and the point there in world axes. */
export interface Witness {
  feature: FeatureKind;
  id: number;
  u: number;
  v: number;
  point: Vec3;
}

export interface Closest {
  distance: number;
  /** lowerBound <= true signed distance <= upperBound */
  lowerBound: number;
  upperBound: number;
  certified: boolean;
  outcome: (typeof OUTCOMES)[number];
  /** Why it is not certified; "none" where it is. */
  reason: (typeof REASONS)[number];
  modelTolerance: number;
  /** Unit, from a to b. */
  normal: Vec3;
  a: Witness;
  b: Witness;
  /** 0: an isolated pair, 1: the closest set is a curve, 2: an area. */
  dimension: number;
  work: number;
}

export interface Result {
  distance: number;
  lowerBound: number;
  certified: boolean;
  rate: number;
  normal: Vec3;
  a: Witness;
  b: Witness;
  outcome: (typeof OUTCOMES)[number];
  reason: (typeof REASONS)[number];
  modelTolerance: number;
  residual: number;
  /** Normalised projection errors of the parameters that the two features have. */
  errors: number[];
  flags: number;
  gain: number;
  switches: number;
  work: number;
}

export interface QueryOptions {
  /** Width of the bracket that is asked for, relative; 1e-9 unless told. */
  tolerance?: number;
  within?: number;
  rigorous?: boolean;
  strict?: boolean;
  budget?: number;
  capacity?: number;
}

export interface TrackOptions {
  law?: Law;
  form?: (typeof FORMS)[number];
  integrator?: Integrator;
  /** 1/s, or "auto". */
  gain?: number | 'auto';
  feedback?: (typeof FEEDBACKS)[number];
  switching?: (typeof SWITCHINGS)[number];
  prediction?: (typeof PREDICTIONS)[number];
  tolerance?: number;
  certify?: number;
  within?: number;
  budget?: number;
  reacquire?: boolean;
  candidates?: number;
  keepFeatures?: boolean;
  strict?: boolean;
  ball?: number;
  cap?: number;
}

const NAMES: Record<string, readonly string[]> = {
  law: LAWS, form: FORMS, integrator: INTEGRATORS, feedback: FEEDBACKS, switching: SWITCHINGS, prediction: PREDICTIONS,
};

export function settingsRow(options: TrackOptions): Float64Array {
  const row = new Float64Array(SETTINGS.length).fill(NaN);
  for (const [key, value] of Object.entries(options) as [string, unknown][]) {
    const at = (SETTINGS as readonly string[]).indexOf(key);
    if (at < 0) throw new TypeError(`unknown setting "${key}"; there are ${SETTINGS.join(', ')}`);
    if (value === undefined) continue;
    const names = NAMES[key];
    if (key === 'gain' && value === 'auto') row[at] = -1;
    else if (names) {
      row[at] = names.indexOf(String(value));
      if (row[at]! < 0) throw new TypeError(`${key} "${String(value)}" is none of ${names.join(', ')}`);
    } else row[at] = Number(value);
  }
  return row;
}

function vec(row: Float64Array, at: number): Vec3 {
  return [row[at]!, row[at + 1]!, row[at + 2]!];
}

function witness(row: Float64Array, at: number): Witness {
  return { feature: FEATURES[row[at]!] ?? 'point', id: row[at + 1]!, u: row[at + 2]!, v: row[at + 3]!, point: vec(row, at + 4) };
}

/** A row of a query's answers as an object. */
export function closestOf(row: Float64Array, at = 0): Closest {
  const c = CLOSEST;
  return {
    distance: row[at + c.distance]!,
    lowerBound: row[at + c.lowerBound]!,
    upperBound: row[at + c.upperBound]!,
    certified: row[at + c.certified] !== 0,
    outcome: OUTCOMES[row[at + c.outcome]!]!,
    reason: REASONS[row[at + c.reason]!]!,
    modelTolerance: row[at + c.modelTolerance]!,
    normal: vec(row, at + c.normal),
    a: witness(row, at + c.a),
    b: witness(row, at + c.b),
    dimension: row[at + c.dimension]!,
    work: row[at + c.work]!,
  };
}

/** A row of a tracker's results as an object. */
export function resultOf(row: Float64Array, at = 0): Result {
  const r = RESULT;
  const count = row[at + r.count]!;
  return {
    distance: row[at + r.distance]!,
    lowerBound: row[at + r.lowerBound]!,
    certified: (row[at + r.flags]! & FLAG.certified) !== 0,
    rate: row[at + r.rate]!,
    normal: vec(row, at + r.normal),
    a: witness(row, at + r.a),
    b: witness(row, at + r.b),
    outcome: OUTCOMES[row[at + r.outcome]!]!,
    reason: REASONS[row[at + r.reason]!]!,
    modelTolerance: row[at + r.modelTolerance]!,
    residual: row[at + r.residual]!,
    errors: Array.from(row.subarray(at + r.error, at + r.error + count)),
    flags: row[at + r.flags]!,
    gain: row[at + r.gain]!,
    switches: row[at + r.switches]!,
    work: row[at + r.work]!,
  };
}

/** What is freed by hand, or when it is collected. */
abstract class Owned {
  private freed = false;

  constructor(protected readonly engine: Engine, readonly pointer: number, private readonly kind: string) {
    const free = engine.fn(kind + '_free');
    engine.watch(this, () => free(pointer), this);
  }

  free(): void {
    if (this.freed) return;
    this.freed = true;
    this.engine.forget(this);
    this.engine.fn(this.kind + '_free')(this.pointer);
  }
}

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

  /** `owner` keeps the model alive. */
  constructor(private readonly engine: Engine, readonly pointer: number, readonly name: string, readonly owner: object) {
    const d = engine.fill(13, (at) => void engine.fn('body_describe')(pointer, at));
    this.kind = BODY_KINDS[d[0]!]!;
    this.planar = d[1] !== 0;
    this.unbounded = d[2] !== 0;
    this.faceCount = d[3]!;
    this.edgeCount = d[4]!;
    this.vertexCount = d[5]!;
    this.box = { lo: vec(d, 6), hi: vec(d, 9) };
    this.size = d[12]!;
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

/** Certified closest points. One at a time, or rows of them. */
export class Query extends Owned {
  constructor(engine: Engine, options: QueryOptions) {
    super(engine, engine.made(engine.fn('query_create')(options.tolerance ?? NaN, options.within ?? NaN,
      options.rigorous ? 1 : 0, options.strict ? 1 : 0, options.budget ?? NaN, options.capacity ?? 0)), 'query');
  }

  point(body: Body, point: ArrayLike<number>, pose: Pose = IDENTITY): Closest {
    return closestOf(this.points(body, point, pose));
  }

  pair(a: Body, poseA: Pose, b: Body, poseB: Pose): Closest {
    return closestOf(this.pairs(a, b, [...Array.from(poseA), ...Array.from(poseB)]));
  }

  /** For every x, y, z a row of CLOSEST.size doubles. */
  points(body: Body, points: ArrayLike<number>, pose: Pose = IDENTITY): Float64Array {
    const e = this.engine;
    const count = points.length / 3;
    return e.withDoubles(pose, (p) => e.withDoubles(points, (xyz) => e.fill(CLOSEST.size * count,
      (at) => e.good(e.fn('closest_points')(this.pointer, body.pointer, p, count, xyz, at)))));
  }

  /** For every two poses (14 doubles, of a and of b) a row of CLOSEST.size doubles. */
  pairs(a: Body, b: Body, poses: ArrayLike<number>): Float64Array {
    const e = this.engine;
    const count = poses.length / (2 * POSE);
    return e.withDoubles(poses, (p) => e.fill(CLOSEST.size * count,
      (at) => e.good(e.fn('closest_pairs')(this.pointer, a.pointer, b.pointer, count, p, at))));
  }
}

/** A row of doubles in the module's memory: writing to it is writing there. */
class Rows {
  private view!: Float64Array;

  constructor(private readonly engine: Engine, readonly at: number, readonly count: number) {}

  get array(): Float64Array {
    if (!this.view || this.view.buffer !== this.engine.memory.buffer) this.view = this.engine.row(this.at, this.count);
    return this.view;
  }
}

/**
 * The closest pair of two moving bodies, or of a body and a point, step by step. `motionA`, `motionB` and `row` are views
 * of the module's memory: set the motions, call `step`, read the row by the indices of RESULT. Nothing is copied.
 */
export class Tracker extends Owned {
  private readonly motions: Rows;
  private readonly result: Rows;
  private readonly memory: number;

  constructor(engine: Engine, readonly a: Body, readonly b: Body | null, options: TrackOptions, scene: Scene | null = null) {
    super(engine, engine.withDoubles(settingsRow(options), (s) => engine.made(
      engine.fn('tracker_create')(a.pointer, b ? b.pointer : 0, scene ? scene.pointer : 0, s))), 'tracker');
    this.memory = engine.alloc(8 * (2 * MOTION + RESULT.size));
    this.motions = new Rows(engine, this.memory, 2 * MOTION);
    this.result = new Rows(engine, this.memory + 16 * MOTION, RESULT.size);
    this.motions.array.fill(0);
    this.motions.array[3] = this.motions.array[MOTION + 3] = 1;
  }

  override free(): void {
    super.free();
    this.engine.free(this.memory);
  }

  get motionA(): Float64Array {
    return this.motions.array.subarray(0, MOTION);
  }

  get motionB(): Float64Array {
    return this.motions.array.subarray(MOTION);
  }

  /** The last result as doubles, see RESULT. */
  get row(): Float64Array {
    return this.result.array;
  }

  /** One frame of `dt` seconds; the motions are those at its end. */
  step(dt: number): Float64Array {
    const e = this.engine;
    if (e.fn('tracker_steps')(this.pointer, 1, this.motions.at, dt, this.result.at) !== 1) throw e.error();
    return this.result.array;
  }

  /** Many frames: rows of two motions; rows of RESULT.size doubles come back. */
  steps(motions: ArrayLike<number>, dt: number): Float64Array {
    const e = this.engine;
    const count = motions.length / (2 * MOTION);
    return e.withDoubles(motions, (m) => e.fill(RESULT.size * count, (at) => {
      if (e.fn('tracker_steps')(this.pointer, count, m, dt, at) !== count) throw e.error();
    }));
  }

  /** Frames first to first + count - 1 of a scene. */
  follow(scene: Scene, first: number, count: number, rate = scene.rate): Float64Array {
    const e = this.engine;
    return e.fill(RESULT.size * count, (at) => {
      if (e.fn('tracker_follow')(this.pointer, scene.pointer, first, count, rate, at) !== count) throw e.error();
    });
  }

  get last(): Result {
    return resultOf(this.result.array);
  }

  reset(): void {
    this.engine.fn('tracker_reset')(this.pointer);
  }

  /** Start from these places (feature, id, u, v, x, y, z of a and of b) at the next step. */
  place(places: ArrayLike<number>): void {
    const e = this.engine;
    e.withDoubles(places, (at) => e.good(e.fn('tracker_place')(this.pointer, at, this.b ? 0 : 1)));
  }
}

/** A scene: two sides with their motions and the settings of the tracker. */
export class Scene extends Owned {
  readonly name: string;
  readonly note: string;
  readonly unit: string;
  readonly rate: number;
  readonly duration: number;
  /** After the first, which stands at time 0. */
  readonly frames: number;
  readonly dynamic: boolean;
  readonly a: Body;
  readonly b: Body | null;
  readonly sides: [string, string];

  constructor(engine: Engine, pointer: number) {
    super(engine, pointer, 'scene');
    const text = (which: number): string => engine.text(engine.fn('scene_text')(pointer, which));
    const numbers = engine.fill(4, (at) => void engine.fn('scene_numbers')(pointer, at));
    this.name = text(0);
    this.note = text(1);
    this.unit = text(2);
    this.sides = [text(3), text(4)];
    [this.rate, this.duration, this.frames] = [numbers[0]!, numbers[1]!, numbers[2]!];
    this.dynamic = numbers[3] !== 0;
    this.a = new Body(engine, engine.fn('scene_body')(pointer, 0), this.sides[0], this);
    const b = engine.fn('scene_body')(pointer, 1);
    this.b = b ? new Body(engine, b, this.sides[1], this) : null;
  }

  /** Where a side (0: a, 1: b) is at a time, and how it moves. */
  motion(side: number, time: number): Float64Array {
    return this.engine.fill(MOTION, (at) => this.engine.good(this.engine.fn('scene_motion')(this.pointer, side, time, at)));
  }
}

export interface ToolOptions {
  rate?: number;
  /** Stiffness of the coupler between the device and the tool, force per length. */
  coupler?: number;
  couplerDamping?: number;
  /** What hand and device take off, force per speed: for the check of passivity. */
  deviceDamping?: number;
  contact?: number;
  contactDamping?: number;
  friction?: number;
  mass?: number;
  inertia?: number;
  allowUnstable?: boolean;
}

/** Forces: a tool that a device holds, against a body; or the world of a scene with dynamics. */
export class World extends Owned {
  private readonly memory: number;
  private readonly rows: Rows;
  private readonly result: Rows;
  private readonly device: Rows;

  private constructor(engine: Engine, pointer: number, readonly keep: object[]) {
    super(engine, pointer, 'world');
    this.memory = engine.alloc(8 * (FORCE.size + RESULT.size + MOTION));
    this.rows = new Rows(engine, this.memory, FORCE.size);
    this.result = new Rows(engine, this.memory + 8 * FORCE.size, RESULT.size);
    this.device = new Rows(engine, this.memory + 8 * (FORCE.size + RESULT.size), MOTION);
  }

  static ofScene(engine: Engine, scene: Scene, options: TrackOptions, rate: number): World {
    const pointer = engine.withDoubles(settingsRow(options), (s) => engine.made(
      engine.fn('world_of_scene')(scene.pointer, s, rate)));
    return new World(engine, pointer, [scene]);
  }

  /** `tool` null: a point. Refuses gains that the rate does not carry, unless allowUnstable. */
  static ofTool(engine: Engine, a: Body, poseA: Pose, tool: Body | null, poseTool: Pose, o: ToolOptions): World {
    const n = [o.rate ?? 1000, o.coupler ?? 500, o.couplerDamping ?? 0, o.deviceDamping ?? Infinity, o.contact ?? 1000,
      o.contactDamping ?? 0, o.friction ?? 0, o.mass ?? 1, o.inertia ?? 1, o.allowUnstable ? 1 : 0];
    const pointer = engine.withDoubles(poseA, (pa) => engine.withDoubles(poseTool, (pt) => engine.withDoubles(n, (at) =>
      engine.made(engine.fn('world_of_tool')(a.pointer, pa, tool ? tool.pointer : 0, pt, at)))));
    return new World(engine, pointer, tool ? [a, tool] : [a]);
  }

  override free(): void {
    super.free();
    this.engine.free(this.memory);
  }

  /** One step with the device at a motion; null: as the scene says. Read `forces` and `row`. */
  step(device: ArrayLike<number> | null, time: number, dt: number): void {
    const e = this.engine;
    if (device) this.device.array.set(device);
    e.good(e.fn('world_step')(this.pointer, device ? this.device.at : 0, time, dt, this.result.at, this.rows.at));
  }

  /** See FORCE. */
  get forces(): Float64Array {
    return this.rows.array;
  }

  /** Of the first pair, see RESULT. */
  get row(): Float64Array {
    return this.result.array;
  }

  /** Motion of a body of the world. */
  motion(body: number): Float64Array {
    return this.engine.fill(MOTION, (at) => this.engine.good(this.engine.fn('world_body')(this.pointer, body, at)));
  }
}

/** What an law and an integrator allow at a state (wit_gain_limit). */
export interface GainLimits {
  upper: number;
  lower: number;
  lag: number;
  fastest: number;
}

/** The library. */
export class WitnessLibrary {
  constructor(readonly engine: Engine) {}

  get version(): string {
    return this.engine.text(this.engine.fn('version')());
  }

  /** A file that scenes may name. */
  addFile(path: string, bytes: Uint8Array | string): void {
    this.engine.files.set(path, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  }

  readModel(text: string | Uint8Array): Model {
    return this.readBytes('model_read', text);
  }

  /** Bezier patches in the form of the tea set. */
  readBpt(text: string | Uint8Array): Model {
    return this.readBytes('model_read_bpt', text);
  }

  private readBytes(name: string, text: string | Uint8Array): Model {
    const e = this.engine;
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return new Model(e, e.withBytes(bytes, (at, n) => e.made(e.fn(name)(at, n))));
  }

  /** A scene; the files that it names were given by addFile, relative to `directory`. */
  readScene(text: string | Uint8Array, directory = ''): Scene {
    const e = this.engine;
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return new Scene(e, e.withBytes(bytes, (at, n) => e.withText('/' + directory, (d) => e.made(e.fn('scene_read')(at, n, d)))));
  }

  query(options: QueryOptions = {}): Query {
    return new Query(this.engine, options);
  }

  tracker(a: Body, b: Body | null, options: TrackOptions = {}): Tracker {
    return new Tracker(this.engine, a, b, options);
  }

  sceneTracker(scene: Scene, options: TrackOptions = {}): Tracker {
    return new Tracker(this.engine, scene.a, scene.b, options, scene);
  }

  sceneWorld(scene: Scene, options: TrackOptions = {}, rate = scene.rate): World {
    return World.ofScene(this.engine, scene, options, rate);
  }

  toolWorld(a: Body, poseA: Pose, tool: Body | null, poseTool: Pose, options: ToolOptions = {}): World {
    return World.ofTool(this.engine, a, poseA, tool, poseTool, options);
  }

  /** At a row of a tracker's results and the motions there. */
  gainLimits(a: Body, b: Body | null, options: TrackOptions, row: Float64Array, motions: ArrayLike<number>, dt: number): GainLimits {
    const e = this.engine;
    const places = [...row.subarray(RESULT.a, RESULT.a + 4), ...row.subarray(RESULT.b, RESULT.b + 4), ...Array.from(motions)];
    const out = e.withDoubles(settingsRow(options), (s) => e.withDoubles(places, (p) => e.fill(4, (at) =>
      e.good(e.fn('gain_limits')(a.pointer, b ? b.pointer : 0, s, p, dt, at)))));
    return { upper: out[0]!, lower: out[1]!, lag: out[2]!, fastest: out[3]! };
  }
}
