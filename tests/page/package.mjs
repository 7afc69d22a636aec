// SPDX-License-Identifier: MIT
// package.mjs ROOT COMMAND: the package beside the command, number by number.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { load, CLOSEST, FLAG, INTEGRATORS, LAWS, MOTION, OUTCOMES, REASONS, RESULT, WitnessError } from 'witness-geometry';

const [root, command] = process.argv.slice(2);
const run = (...args) => execFileSync(command, args, { cwd: root, maxBuffer: 1 << 28 }).toString();
const read = (file) => fs.readFileSync(path.join(root, file));
const witness = await load();
const near = (x, y, size, what) => assert.ok(Math.abs(x - y) <= 1e-12 * Math.max(1, size), `${what}: ${x} is not ${y}`);
const claims = [];
const claim = (name, check) => claims.push([name, check]);

claim('queries give the distances of the command', () => {
  for (const [model, point] of [['torus', [1, 2, 7]], ['prism-dome', [3, 3, 9]], ['table1', [2, 3, 4]], ['pen', [0, 1, 3]]]) {
    const said = JSON.parse(run('closest', `models/${model}.json`, '--point', point.join(), '--json'));
    const body = witness.readModel(read(`models/${model}.json`)).bodies[0];
    const got = witness.query().point(body, point);
    near(got.distance, said.distance, body.size, model);
    assert.equal(got.certified, said.certified, model);
    assert.equal(got.outcome, said.outcome, model);
    assert.equal(got.a.feature, said.a.feature, model);
    for (let k = 0; k < 3; k++) near(got.a.point[k], said.a.point[k], body.size, `${model}: witness`);
  }
});

claim('a batch is what single queries are', () => {
  const body = witness.readModel(read('models/bowl.json')).bodies[0];
  const points = Float64Array.from({ length: 300 }, (_, i) => 6 * Math.sin(12.9898 * (i + 1)));
  const rows = witness.query().points(body, points);
  const one = witness.query();
  for (let i = 0; i < 100; i++)
    assert.equal(rows[CLOSEST.size * i], one.point(body, points.subarray(3 * i, 3 * i + 3)).distance);
});

claim('a scene is tracked to what the command writes, frame by frame', () => {
  for (const name of ['001-fig6', '000-fig7', 'torus-seam', 'through-touch', '002-fig5']) {
    const csv = run('track', `scenes/${name}.json`, '--csv', '-').trim().split('\n').map((l) => l.split(','));
    const column = (key) => csv[0].indexOf(key);
    for (const f of fs.readdirSync(path.join(root, 'models')).filter((n) => n.endsWith('.json'))) witness.addFile(`models/${f}`, read(`models/${f}`));
    const scene = witness.readScene(read(`scenes/${name}.json`), 'scenes');
    const rows = witness.sceneTracker(scene).follow(scene, 0, scene.frames + 1);
    assert.equal(csv.length, scene.frames + 2, name);
    // AVX2 rounds otherwise; where the closest set is no point another of it may be met.
    for (let k = 0; k <= scene.frames; k++) {
      const at = RESULT.size * k;
      if (rows[at + RESULT.flags] & FLAG.notUnique) continue;
      near(rows[at], Number(csv[k + 1][column('distance')]), 100 * scene.a.size, `${name} frame ${k}`);
    }
  }
});

claim('rows in memory are what a batch returns', () => {
  const model = witness.readModel(read('models/ellipsoids.json'));
  const [a, b] = model.bodies;
  const motions = new Float64Array(2 * MOTION * 50);
  for (let k = 0; k < 50; k++) motions.set([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5 - 0.02 * k, 1, 2, 1], 2 * MOTION * k);
  const rows = witness.tracker(a, b).steps(motions, 1e-3);
  const tracker = witness.tracker(a, b);
  for (let k = 0; k < 50; k++) {
    tracker.motionB[0] = 5 - 0.02 * k;
    tracker.motionB[1] = 1;
    tracker.motionB[2] = 2;
    const row = tracker.step(1e-3);
    assert.deepEqual(Array.from(row), Array.from(rows.subarray(RESULT.size * k, RESULT.size * (k + 1))));
  }
  assert.equal(tracker.row.buffer, witness.engine.memory.buffer, 'a view, not a copy');
});

claim('refusals carry item, line and column, as the command says them', () => {
  const text = '{"format": "witness-model", "version": 1, "unit": "mm",\n "surfaces": [{"kind": "plane", "range_u": [1, 0], "range_v": [0, 1]}]}';
  assert.throws(() => witness.readModel(text), (e) => {
    assert.ok(e instanceof WitnessError);
    assert.equal(e.line, 2);
    assert.ok(e.column > 1 && e.item.includes('surfaces[0]'), e.message);
    return true;
  });
  assert.throws(() => witness.readScene('{"format": "witness-scene", "version": 1, "rate": 1, "duration": 1,\n"a": {"model": "none.json"}, "b": {"point": true}}'),
    /line 2.*none\.json/);
  assert.throws(() => witness.tracker(witness.readModel(read('models/box.json')).bodies[0], null, { law: 'no such law' }), TypeError);
  assert.throws(() => witness.query({ tolerance: 7 }), WitnessError);
  const tracker = witness.tracker(witness.readModel(read('models/box.json')).bodies[0], null);
  tracker.motionB[0] = NaN;
  assert.throws(() => tracker.step(1e-3), WitnessError);
});

claim('the names are those of the library', () => {
  const name = (list, value) => witness.engine.text(witness.engine.fn('name')(list, value));
  OUTCOMES.forEach((n, i) => assert.equal(name(1, i), n));
  REASONS.forEach((n, i) => assert.equal(name(2, i), n));
  LAWS.forEach((n, i) => assert.equal(name(4, i), n));
  INTEGRATORS.forEach((n, i) => assert.equal(name(5, i), n));
  for (const [key, bit] of Object.entries(FLAG))
    assert.equal(name(3, bit), key.replace(/[A-Z]/g, (c) => '_' + c.toLowerCase()), key);
});

claim('drawn triangles lie on the bodies: areas within 1 %, normals outward, borders shared', () => {
  for (const file of fs.readdirSync(path.join(root, 'models')).filter((n) => n.endsWith('.json'))) {
    const model = witness.readModel(read(`models/${file}`));
    for (const body of model.bodies) {
      if (body.unbounded || !body.faceCount) continue;
      const { positions: p, normals: n, triangles: t, dropped } = body.mesh();
      let area = 0;
      for (let i = 0; i < t.length; i += 3) {
        const [a, b, c] = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
        const e = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
        const f = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
        const x = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        const twice = Math.hypot(...x);
        area += twice / 2;
        const along = [0, 1, 2].reduce((s, k) => s + x[k] * (n[a + k] + n[b + k] + n[c + k]), 0);
        assert.ok(twice < 1e-7 * body.size ** 2 || along > 0, `${file}: triangle ${i / 3} faces inwards`);
      }
      assert.equal(dropped, 0, `${file}: borders`);
      const exact = body.check().area;
      assert.ok(Math.abs(area / exact - 1) < 0.01, `${file} ${body.name}: ${area} for ${exact}`);
    }
  }
});

claim('a tool presses on a body and feels the spring', () => {
  const body = witness.readModel(read('models/box.json')).bodies[0];
  const top = body.box.hi[2];
  const still = (z) => [1, 2, z, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const world = witness.toolWorld(body, [0, 0, 0, 1, 0, 0, 0], null, still(top + 1), { coupler: 500 });
  for (let k = 0; k < 100; k++) world.step(still(top + 1 - 0.02 * k), 0, 1e-3);
  near(world.forces[2], 500 * 0.98, 500 * body.size, 'force of a spring of 500 pressed by 0.98');
  assert.throws(() => witness.toolWorld(body, [0, 0, 0, 1, 0, 0, 0], null, still(top + 1),
    { coupler: 1e5, deviceDamping: 5 }), /passiv|damping/i);
});

let failed = 0;
for (const [name, check] of claims) {
  try {
    check();
    console.log(`ok   ${name}`);
  } catch (e) {
    failed++;
    console.log(`FAIL ${name}\n     ${e.stack ?? e}`);
  }
}
process.exit(failed ? 1 : 0);
