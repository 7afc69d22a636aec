// SPDX-License-Identifier: MIT
// The tracker at its rate, beside the page: several steps per tick, what could not be done in time is counted.
import { FORCE, MOTION, RESULT, start as startLibrary, type Body, type Model, type Tracker, type WitnessLibrary, type World } from '../../wasm/src/core.js';
import { basin } from './basin.js';
import { type FromWorker, type Start, type ToWorker } from './protocol.js';

const TICK = 4; // milliseconds
const MOST = 60; // steps of a tick
const POST = 16;
const SMOOTH = 0.012; // seconds in which the tool comes to where it is wanted

const post = (m: FromWorker, move: Transferable[] = []): void => (self as unknown as Worker).postMessage(m, move);

/** The pair seen from the other side. */
function swap(row: Float64Array): void {
  const a = row.slice(RESULT.a, RESULT.a + 7);
  row.copyWithin(RESULT.a, RESULT.b, RESULT.b + 7);
  row.set(a, RESULT.b);
  for (let i = 0; i < 3; i++) row[RESULT.normal + i] = -row[RESULT.normal + i]!;
}

class Live {
  private tracker: Tracker | null = null;
  private world: World | null = null;
  readonly pose: [Float64Array, Float64Array];
  private readonly device = new Float64Array(MOTION);
  private readonly speed = [0, 0, 0];
  target: Float64Array;
  private clock = 0;
  private began = performance.now();
  private due = 0;
  private posted = 0;
  private steps = 0;
  private missed = 0;
  private spent = 0;
  private fresh = 0;
  private history: number[] = [];
  private recorded: number[] | null = null;

  constructor(library: WitnessLibrary, sides: [Body, Body | null], readonly s: Start) {
    this.pose = [Float64Array.from(s.poses[0]), Float64Array.from(s.poses[1])];
    this.target = this.pose[s.moving].slice();
    this.device.set(this.target);
    this.device[13] = 1;
    // the tool is what is moved; the body is the other
    const still = s.moving ? 0 : 1;
    if (s.mode === 'haptic') this.world = library.toolWorld(sides[still]!, this.pose[still], sides[s.moving], this.pose[s.moving], { ...s.tool, rate: s.rate });
    else this.tracker = library.tracker(sides[0], sides[1], s.options);
  }

  free(): void {
    this.tracker?.free();
    this.world?.free();
  }

  record(on: boolean): void {
    if (!on && this.recorded) {
      const n = this.recorded.length / 8;
      const times = Float64Array.from({ length: n }, (_, i) => this.recorded![8 * i]!);
      const poses = Float64Array.from({ length: 7 * n }, (_, i) => this.recorded![8 * Math.floor(i / 7) + 1 + (i % 7)]!);
      post({ type: 'recording', times, poses }, [times.buffer, poses.buffer]);
    }
    this.recorded = on ? [] : null;
  }

  /** The tool on its way to where the hand wants it. */
  private approach(dt: number): void {
    const p = this.pose[this.s.moving];
    const share = 1 - Math.exp(-dt / SMOOTH);
    for (let i = 0; i < 3; i++) p[i] = p[i]! + share * (this.target[i]! - p[i]!);
    const dot = [3, 4, 5, 6].reduce((s, i) => s + p[i]! * this.target[i]!, 0) < 0 ? -1 : 1;
    let n = 0;
    for (let i = 3; i < 7; i++) {
      p[i] = p[i]! + share * (dot * this.target[i]! - p[i]!);
      n += p[i]! ** 2;
    }
    for (let i = 3; i < 7; i++) p[i] = p[i]! / Math.sqrt(n);
  }

  /** The device in the hand: pushed back by the force, drawn to where the hand wants to be. */
  private hold(dt: number): void {
    const h = this.s.hand;
    const f = this.world!.forces;
    this.approach(dt);
    const want = this.pose[this.s.moving];
    for (let i = 0; i < 3; i++) {
      const a = (h.stiffness * (want[i]! - this.device[i]!) - (h.damping + h.deviceDamping) * this.speed[i]! + (this.steps ? f[FORCE.force + i]! : 0)) / h.mass;
      this.speed[i] = this.speed[i]! + dt * a;
      this.device[i] = this.device[i]! + dt * this.speed[i]!;
      this.device[7 + i] = this.speed[i]!;
    }
    for (let i = 3; i < 7; i++) this.device[i] = want[i]!;
  }

  private stepTrack(dt: number): Float64Array {
    const t = this.tracker!;
    this.approach(dt);
    t.motionA.set(this.pose[0]);
    t.motionB.set(this.pose[1]);
    return t.step(dt);
  }

  private stepWorld(dt: number): Float64Array {
    this.hold(dt);
    this.world!.step(this.device, this.clock, dt);
    return this.world!.row;
  }

  /** One step. False: it has left the numbers. */
  private step(dt: number): boolean {
    const row = this.world ? this.stepWorld(dt) : this.stepTrack(dt);
    this.clock += dt;
    this.steps++;
    const force = this.world ? Math.hypot(this.world.forces[0]!, this.world.forces[1]!, this.world.forces[2]!) : NaN;
    this.history.push(this.clock, row[RESULT.distance]!, row[RESULT.lowerBound]!, row[RESULT.residual]!, force, row[RESULT.flags]!, row[RESULT.a + 2]!);
    if (this.recorded && this.recorded.length < 8 * 120 * this.s.rate)
      this.recorded.push((this.recorded.length / 8) / this.s.rate, ...this.pose[this.s.moving]);
    return !this.world || (this.world.forces[FORCE.finite] !== 0 && this.device.every(Number.isFinite) && Math.abs(this.device[0]!) < 1e9);
  }

  /** False: ended. */
  tick(): boolean {
    const dt = 1 / this.s.rate;
    const now = performance.now();
    this.due = Math.floor((now - this.began) * this.s.rate / 1000) - this.steps - this.missed;
    const from = performance.now();
    let made = 0;
    while (made < this.due) {
      if (made >= MOST || performance.now() - from > 3 * TICK) {
        this.missed += this.due - made;
        break;
      }
      if (!this.step(dt)) {
        post({ type: 'unstable', text: 'unstable: the numbers have run away, as the check foretold; it was stopped' });
        return false;
      }
      made++;
    }
    this.spent += performance.now() - from;
    this.fresh += made;
    if (now - this.posted >= POST && this.fresh) this.send(now);
    return true;
  }

  private send(now: number): void {
    const history = Float64Array.from(this.history);
    const world = this.world;
    const row = (world ? world.row : this.tracker!.row).slice();
    const poses: [Float64Array, Float64Array] = [this.pose[0].slice(), this.pose[1].slice()];
    let force: Float64Array | null = null;
    if (world) {
      poses[this.s.moving] = world.forces.slice(FORCE.tool, FORCE.tool + 7);
      if (!this.s.moving) swap(row);
      force = Float64Array.from([...world.forces.subarray(0, 3), this.device[0]!, this.device[1]!, this.device[2]!, world.forces[FORCE.contact]!]);
      if (world.forces[FORCE.touching] && row[RESULT.b] === 3) for (let i = 0; i < 3; i++) row[RESULT.b + 4 + i] = poses[1][i]!;
    }
    post({ type: 'frames', history, row, poses, force, steps: this.steps, missed: this.missed, micros: (1000 * this.spent) / this.fresh }, [history.buffer]);
    this.history = [];
    this.posted = now;
    this.spent = 0;
    this.fresh = 0;
  }
}

let library: WitnessLibrary | null = null;
let models: Model[] = [];
let sides: [Body, Body | null] | null = null;
let live: Live | null = null;
let timer = 0;

function stop(): void {
  clearInterval(timer);
  live?.free();
  live = null;
}

function begin(s: Start): void {
  stop();
  live = new Live(library!, sides!, s);
  timer = setInterval(() => {
    try {
      if (live && !live.tick()) stop();
    } catch (e) {
      stop();
      post({ type: 'refused', text: e instanceof Error ? e.message : String(e), item: '' });
    }
  }, TICK) as unknown as number;
}

async function hear(m: ToWorker): Promise<void> {
  if (m.type === 'init') {
    stop();
    library = await startLibrary(m.wasm);
    models = m.models.map((t) => library!.readModel(t));
    const body = (i: 0 | 1): Body | null => (m.sides[i].model < 0 ? null : models[m.sides[i].model]!.bodies[m.sides[i].body] ?? null);
    sides = [body(0)!, body(1)];
    post({ type: 'ready' });
  } else if (m.type === 'start') begin(m.start);
  else if (m.type === 'target') live?.target.set(m.pose);
  else if (m.type === 'record') live?.record(m.on);
  else if (m.type === 'basin') {
    const b = basin(library!, sides![0], m.ask);
    post({ type: 'basin', ...b }, [b.kinds.buffer, b.box.buffer]);
  } else stop();
}

// one after the other: what comes while the library starts has to wait
let queue = Promise.resolve();
self.onmessage = (e: MessageEvent<ToWorker>) => {
  queue = queue.then(() => hear(e.data)).catch((fault: unknown) => {
    const known = fault as { message?: string; item?: string };
    post({ type: 'refused', text: known.message ?? String(fault), item: known.item ?? '' });
  });
};

