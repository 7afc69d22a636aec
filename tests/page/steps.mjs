// SPDX-License-Identifier: MIT
// steps.mjs PROGRAM: time of a tracker's step in the module, in node (the engine of chromium), beside the native ones.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './browser.mjs';

const { load, MOTION, RESULT } = await import(pathToFileURL(path.join(root, 'build/wasm/package/dist/index.js')));
const program = path.resolve(process.argv[2]);
const scenes = ['000-fig9', '001-fig19', 'torus-seam', '002-fig5'].map((n) => `scenes/${n}.json`);
const native = (kernel) => new Map(execFileSync(program, [kernel, ...scenes], { cwd: root }).toString().trim().split('\n')
  .map((l) => l.split(' ')).map(([n, ns, sum]) => [n, { ns: Number(ns), sum: Number(sum) }]));
const [portable, auto] = [native('PORTABLE'), native('AUTO')];
const witness = await load();
for (const f of fs.readdirSync(path.join(root, 'models')).filter((n) => n.endsWith('.json'))) witness.addFile(`models/${f}`, fs.readFileSync(path.join(root, 'models', f)));

console.log('ns of processor time a step        module   portable   ratio   this machine’s best   ratio');
let worst = 0;
for (const name of scenes) {
  const scene = witness.readScene(fs.readFileSync(path.join(root, name)), 'scenes');
  const frames = scene.frames + 1;
  const motions = new Float64Array(2 * MOTION * frames);
  for (let k = 0; k < frames; k++) for (const side of [0, 1]) motions.set(scene.motion(side, k / scene.rate), MOTION * (2 * k + side));
  const tracker = witness.tracker(scene.a, scene.b);
  const e = witness.engine;
  // in the module's memory, as the worker has it: what is measured are the steps
  const [from, to] = [e.alloc(8 * motions.length), e.alloc(8 * RESULT.size * frames)];
  e.row(from, motions.length).set(motions);
  let best = Infinity;
  let sum = 0;
  const rounds = 5 + Math.ceil(40000 / frames);
  for (let i = 0; i < rounds; i++) {
    tracker.reset();
    const before = process.cpuUsage();
    assert.equal(e.fn('tracker_steps')(tracker.pointer, frames, from, 1 / scene.rate, to), frames);
    const spent = process.cpuUsage(before);
    best = Math.min(best, spent.user + spent.system);
  }
  for (let k = 0; k < frames; k++) sum += e.row(to + 8 * RESULT.size * k, 1)[0];
  const ns = (1e3 * best) / frames;
  const p = portable.get(name);
  const a = auto.get(name);
  assert.ok(Math.abs(sum - p.sum) <= 1e-9 * Math.max(1, Math.abs(p.sum)), `${name}: the same distances`);
  worst = Math.max(worst, ns / p.ns);
  console.log(`${name.padEnd(30)} ${ns.toFixed(0).padStart(9)} ${p.ns.toFixed(0).padStart(10)} ${(ns / p.ns).toFixed(2).padStart(7)} ${a.ns.toFixed(0).padStart(21)} ${(ns / a.ns).toFixed(2).padStart(7)}`);
}
assert.ok(worst <= 4, `a step of the module takes ${worst.toFixed(2)} times that of the portable kernels`);
