// SPDX-License-Identifier: MIT
// What is given to the library and what it answers, and the rows of doubles between.
import {
  CLOSEST, FEATURES, FEEDBACKS, FLAG, FORMS, INTEGRATORS, LAWS, OUTCOMES, PREDICTIONS, REASONS, RESULT, SETTINGS, SWITCHINGS,
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
  front?: number;
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

export function vec(row: Float64Array, at: number): Vec3 {
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
