// SPDX-License-Identifier: MIT
// Worlds with forces.
import { Body } from './body.js';
import { Engine } from './engine.js';
import { FORCE, MOTION, RESULT } from './layout.js';
import { Owned, Rows } from './owned.js';
import { Scene } from './track.js';
import { settingsRow, type Pose, type TrackOptions } from './types.js';

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
