// SPDX-License-Identifier: MIT
// Scenes run in the page, and recordings made into scenes.
import { FORCE, RESULT, type Scene, type WitnessLibrary } from '../../wasm/src/core.js';
import { ROW, Run, type RunHead } from './data.js';

const MOST = 200000;

/** Runs a scene by the module: the same figures as `witness track` with portable kernels. */
export function runScene(library: WitnessLibrary, scene: Scene, text: string): Run {
  const settings = (JSON.parse(text) as { track?: { law?: string } }).track;
  const first = scene.dynamic ? 1 : 0;
  const count = Math.min(MOST, scene.frames + 1 - first);
  const columns = new Map<string, Float64Array>();
  const column = (name: string): Float64Array => {
    let c = columns.get(name);
    if (!c) columns.set(name, (c = new Float64Array(count)));
    return c;
  };
  const transitions: number[][] = [];
  const put = (k: number, row: Float64Array, a: Float64Array, b: Float64Array): void => {
    column('t')[k] = (k + first) / scene.rate;
    for (const [name, at] of ROW) column(name)[k] = Number.isNaN(row[at]!) ? 0 : row[at]!;
    for (let i = 0; i < 7; i++) {
      column(`pose_a_${i}`)[k] = a[i]!;
      column(`pose_b_${i}`)[k] = b[i]!;
    }
    for (const [side, letter] of (['a', 'b'] as const).entries()) {
      const kind = column(`${letter}_feature`);
      const id = column(`${letter}_id`);
      if (k && (kind[k] !== kind[k - 1] || id[k] !== id[k - 1]))
        transitions.push([column('t')[k]!, side, kind[k - 1]!, id[k - 1]!, kind[k]!, id[k]!, column('distance')[k - 1]!, column('distance')[k]!]);
    }
  };
  if (scene.dynamic) runWorld(library, scene, count, put, column);
  else {
    const tracker = library.sceneTracker(scene);
    const block = 512;
    for (let from = 0; from < count; from += block) {
      const n = Math.min(block, count - from);
      const rows = tracker.follow(scene, from, n);
      for (let i = 0; i < n; i++) {
        const t = (from + i) / scene.rate;
        put(from + i, rows.subarray(RESULT.size * i, RESULT.size * (i + 1)), scene.motion(0, t), scene.motion(1, t));
      }
    }
    tracker.free();
  }
  const head: RunHead = {
    name: scene.name || 'scene', unit: scene.unit === 'none' ? '' : scene.unit, law: settings?.law ?? 'deadbeat', rate: scene.rate, frames: count, tolerance: 0,
    dynamic: scene.dynamic, sides: [{ name: scene.sides[0], model: 0, body: 0 }, { name: scene.sides[1], model: scene.b ? 1 : -1, body: 0 }], columns: [],
    transitions, figures: null,
  };
  return new Run(head, [scene.a, scene.b], columns);
}

function runWorld(library: WitnessLibrary, scene: Scene, count: number, put: (k: number, row: Float64Array, a: Float64Array, b: Float64Array) => void,
  column: (name: string) => Float64Array): void {
  const world = library.sceneWorld(scene);
  const dt = 1 / scene.rate;
  for (let k = 0; k < count; k++) {
    world.step(null, (k + 1) * dt, dt);
    const f = world.forces;
    put(k, world.row, world.motion(0), world.motion(1));
    ['force_x', 'force_y', 'force_z'].forEach((n, i) => (column(n)[k] = f[FORCE.force + i]!));
    ['device_x', 'device_y', 'device_z'].forEach((n, i) => (column(n)[k] = f[FORCE.tool + i]!));
    column('kinetic')[k] = f[FORCE.kinetic]!;
    column('stored')[k] = f[FORCE.stored]!;
    column('balance')[k] = f[FORCE.stored]! + f[FORCE.dissipated]! - f[FORCE.supplied]!;
  }
  world.free();
}

export interface SideFile {
  /** File name of the model; null: a point. */
  model: string | null;
  body: string;
  name: string;
  pose: number[];
}

/** A motion that was recorded as a scene: keyframes at the rate, bit for bit. */
export function sceneText(name: string, unit: string, rate: number, sides: [SideFile, SideFile], moving: 0 | 1, times: Float64Array, poses: Float64Array): string {
  const side = (i: 0 | 1): Record<string, unknown> => {
    const s = sides[i];
    const motion = i === moving
      ? { kind: 'keyframes', times: Array.from(times), poses: Array.from(times, (_, k) => Array.from(poses.subarray(7 * k, 7 * k + 7))), interpolation: 'smooth' }
      : { kind: 'still', pose: s.pose };
    return s.model === null ? { name: s.name, point: true, motion } : { name: s.name, model: s.model, ...(s.body ? { body: s.body } : {}), motion };
  };
  return JSON.stringify({
    format: 'witness-scene', version: 1, name, note: 'Recorded in the page.', ...(unit ? { unit } : {}), a: side(0), b: side(1), rate,
    duration: times[times.length - 1] ?? 0,
  });
}
