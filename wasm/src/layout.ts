// SPDX-License-Identifier: MIT
// Where things stand in the rows of doubles that the module fills; the other side is bridge.h. Tested against each other.

/** Doubles of a pose: x, y, z, qw, qx, qy, qz. */
export const POSE = 7;
/** Doubles of a motion: a pose, velocity, angular velocity, 1 if that twist is known. */
export const MOTION = 14;

/** Indices into a row of a tracker's results. Witnesses: feature, id, u, v, x, y, z. */
export const RESULT = {
  distance: 0,
  lowerBound: 1,
  modelTolerance: 2,
  rate: 3,
  normal: 4,
  a: 7,
  b: 14,
  outcome: 21,
  flags: 22,
  reason: 23,
  kind: 24,
  residual: 25,
  countA: 26,
  count: 27,
  error: 28,
  held: 32,
  drift: 33,
  gain: 34,
  switches: 35,
  iterations: 36,
  work: 37,
  size: 42,
} as const;

/** Indices into a row of a query's answers. */
export const CLOSEST = {
  distance: 0,
  lowerBound: 1,
  upperBound: 2,
  certified: 3,
  outcome: 4,
  reason: 5,
  modelTolerance: 6,
  normal: 7,
  a: 10,
  b: 17,
  sign: 24,
  dimension: 25,
  work: 26,
  size: 28,
} as const;

/** Indices into a row of a world of forces. */
export const FORCE = {
  force: 0,
  torque: 3,
  tool: 6,
  gap: 20,
  touching: 21,
  finite: 22,
  flags: 23,
  kinetic: 24,
  coupler: 25,
  contact: 26,
  stored: 27,
  dissipated: 28,
  supplied: 29,
  size: 30,
} as const;

/** Bits of a result's flags. */
export const FLAG = {
  switched: 1,
  saturated: 2,
  fellBack: 4,
  reacquired: 8,
  touching: 16,
  overlapping: 32,
  notUnique: 64,
  certified: 128,
  local: 256,
  jumped: 512,
  cycle: 1024,
  beyond: 2048,
  outside: 4096,
} as const;

/** Order of the settings of a tracker in the module. */
export const SETTINGS = [
  'law', 'form', 'integrator', 'gain', 'feedback', 'switching', 'prediction', 'tolerance', 'certify', 'within', 'budget',
  'reacquire', 'front', 'keepFeatures', 'strict', 'ball', 'cap',
] as const;

export const FEATURES = ['face', 'edge', 'vertex', 'point'] as const;
export const LAWS = ['deadbeat', 'linearizing', 'switching', 'exponential', 'motion_aware', 'newton', 'newton_saturated',
  'findmin', 'feed_forward'] as const;
export const INTEGRATORS = ['default', 'euler', 'rk2', 'rk3', 'rk4', 'ab2', 'ab3', 'ab4', 'backward_euler', 'trapezoid',
  'dopri5'] as const;
export const FORMS = ['contact', 'papers'] as const;
export const FEEDBACKS = ['direct', 'integrated'] as const;
export const SWITCHINGS = ['local', 'voronoi'] as const;
export const PREDICTIONS = ['best', 'none', 'linear', 'quadratic', 'twist'] as const;
export const OUTCOMES = ['converged', 'not_unique', 'touching', 'overlapping', 'beyond', 'budget', 'empty', 'open'] as const;
export const REASONS = ['none', 'budget', 'memory', 'spread', 'sign', 'premise', 'model', 'rounding', 'open',
  'motion'] as const;
export const BODY_KINDS = ['solid', 'sheet', 'sheet2'] as const;
