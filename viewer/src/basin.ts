// SPDX-License-Identifier: MIT
// The basin of a law: from where on a face it comes to the closest point of a point that stands still.
import { FEATURES, MOTION, RESULT, type Body, type WitnessLibrary } from '../../wasm/src/core.js';
import type { BasinAsk } from './protocol.js';

/** 0: outside the face, 1: reached the closest point, 2: settled somewhere else, 3: did not settle. */
export interface Basin {
  cells: number;
  kinds: Uint8Array;
  box: Float64Array;
  /** The closest distance of all, certified. */
  best: number;
  /** Of the starts: how many came there. */
  share: number;
}

export function basin(library: WitnessLibrary, body: Body, ask: BasinAsk): Basin {
  const query = library.query();
  const best = query.point(body, ask.point, ask.pose).distance;
  query.free();
  const box = body.faceBox(ask.face);
  const n = ask.cells;
  const kinds = new Uint8Array(n * n);
  const tracker = library.tracker(body, null, { reacquire: false, front: 0, ...ask.options });
  const block = 20; // steps between looks whether it has settled
  const motions = new Float64Array(2 * MOTION * block);
  for (let k = 0; k < block; k++) {
    motions.set(ask.pose, 2 * MOTION * k);
    motions.set([...ask.point, 1], 2 * MOTION * k + MOTION);
    motions[2 * MOTION * k + 13] = motions[2 * MOTION * k + MOTION + 13] = 1; // at rest, and known to be
  }
  let starts = 0;
  let reached = 0;
  const near = 1e-5 * Math.max(Math.abs(best), body.size);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const u = box[0]! + ((i + 0.5) / n) * (box[1]! - box[0]!);
      const v = box[2]! + ((j + 0.5) / n) * (box[3]! - box[2]!);
      if (!body.contains(ask.face, u, v)) continue;
      starts++;
      tracker.reset();
      tracker.place([FEATURES.indexOf('face'), ask.face, u, v, 0, 0, 0, 3, -1, 0, 0, 0, 0, 0]);
      const last = RESULT.size * (block - 1);
      let rows = tracker.steps(motions, ask.dt);
      for (let k = block; k < ask.steps && rows[last + RESULT.residual]! > 1e-7; k += block) rows = tracker.steps(motions, ask.dt);
      const there = Math.abs(Math.abs(rows[last]!) - Math.abs(best)) < near;
      kinds[j * n + i] = there ? 1 : rows[last + RESULT.residual]! < 1e-6 ? 2 : 3;
      if (there) reached++;
    }
  }
  tracker.free();
  return { cells: n, kinds, box, best, share: starts ? reached / starts : 0 };
}
