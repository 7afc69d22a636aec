// SPDX-License-Identifier: MIT
// Compiled, not run: what a user of the package writes passes the strictest checks.
import { load, RESULT, WitnessError, type Closest, type Result } from 'witness-geometry';

export async function measure(text: string): Promise<Closest | Result | WitnessError> {
  const witness = await load();
  try {
    const body = witness.readModel(text).bodies[0];
    if (!body) throw new Error('no body');
    const tracker = witness.tracker(body, null, { law: 'switching', gain: 'auto', integrator: 'rk4' });
    tracker.motionB.set([0, 0, 1], 0);
    const row: Float64Array = tracker.step(1e-3);
    return row[RESULT.distance]! > 0 ? tracker.last : witness.query({ rigorous: true }).point(body, [0, 0, 1]);
  } catch (e) {
    if (e instanceof WitnessError) return e;
    throw e;
  }
}
