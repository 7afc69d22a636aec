// SPDX-License-Identifier: MIT
// The library: makes the objects of the other files over one module.
import { Model, type Body } from './body.js';
import { Engine } from './engine.js';
import { RESULT } from './layout.js';
import { Query, Scene, Tracker } from './track.js';
import { settingsRow, type Pose, type QueryOptions, type TrackOptions } from './types.js';
import { World, type ToolOptions } from './world.js';

/** What a law and an integrator allow at a state (wit_gain_limit). */
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
