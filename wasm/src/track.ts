// SPDX-License-Identifier: MIT
// Queries, trackers, scenes.
import { Body } from './body.js';
import { Engine } from './engine.js';
import { CLOSEST, MOTION, POSE, RESULT } from './layout.js';
import { Owned, Rows } from './owned.js';
import { closestOf, IDENTITY, resultOf, settingsRow, type Closest, type Pose, type Result, type QueryOptions, type TrackOptions } from './types.js';

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
