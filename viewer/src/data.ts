// SPDX-License-Identifier: MIT
// What the page carries: the module, models, runs.
import { RESULT, start, type Body, type Model, type WitnessLibrary } from '../../wasm/src/core.js';

export interface SideHead {
  name: string;
  model: number;
  body: number;
}

export interface RunHead {
  name: string;
  unit: string;
  law: string;
  rate: number;
  frames: number;
  tolerance: number;
  dynamic: boolean;
  sides: [SideHead, SideHead];
  columns: { name: string; type: 'f64' | 'f32' | 'i32'; order: number }[];
  transitions: number[][];
  figures: Record<string, unknown> | null;
}

export interface ReportHead {
  witness: string;
  name: string;
  models: number;
  runs: RunHead[];
}

export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function unbase64(text: string): Uint8Array {
  const raw = atob(text.trim());
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

function block(root: ParentNode, id: string): string | null {
  return root.querySelector(`script#witness-${id}`)?.textContent ?? null;
}

export async function packedBlock(root: ParentNode, id: string): Promise<Uint8Array | null> {
  const text = block(root, id);
  return text === null ? null : inflate(unbase64(text));
}

export async function ownModule(): Promise<Uint8Array> {
  const bytes = await packedBlock(document, 'wasm');
  if (!bytes) throw new Error('the page is damaged: its module is missing');
  return bytes;
}

export async function startLibrary(bytes: Uint8Array): Promise<WitnessLibrary> {
  return start(bytes as BufferSource);
}

/** One frame, recorded or live. */
export interface Frame {
  time: number;
  /** As in RESULT. */
  row: Float64Array;
  poseA: Float64Array;
  poseB: Float64Array;
  /** Force on the device, place of the device and contact force, where there are forces. */
  force: Float64Array | null;
}

export const ROW: [string, number][] = [
  ['distance', RESULT.distance], ['lower_bound', RESULT.lowerBound], ['model_tolerance', RESULT.modelTolerance],
  ['rate', RESULT.rate], ['nx', RESULT.normal], ['ny', RESULT.normal + 1], ['nz', RESULT.normal + 2],
  ['a_feature', RESULT.a], ['a_id', RESULT.a + 1], ['a_u', RESULT.a + 2], ['a_v', RESULT.a + 3], ['a_x', RESULT.a + 4],
  ['a_y', RESULT.a + 5], ['a_z', RESULT.a + 6], ['b_feature', RESULT.b], ['b_id', RESULT.b + 1], ['b_u', RESULT.b + 2],
  ['b_v', RESULT.b + 3], ['outcome', RESULT.outcome], ['flags', RESULT.flags], ['reason', RESULT.reason],
  ['residual', RESULT.residual], ['count_a', RESULT.countA], ['count', RESULT.count], ['e_0', RESULT.error],
  ['e_1', RESULT.error + 1], ['e_2', RESULT.error + 2], ['e_3', RESULT.error + 3], ['held', RESULT.held],
  ['gain', RESULT.gain], ['switches', RESULT.switches], ['work', RESULT.work],
];

/** A recorded run: its columns, and frames made from them. */
export class Run {
  readonly count: number;

  constructor(readonly head: RunHead, readonly sides: [Body | null, Body | null], readonly columns: Map<string, Float64Array>) {
    this.count = head.frames;
  }

  static unpack(head: RunHead, library: WitnessLibrary, models: Model[], data: Uint8Array): Run {
    const columns = new Map<string, Float64Array>();
    const e = library.engine;
    let at = 0;
    for (const c of head.columns) {
      const bytes = (c.type === 'f64' ? 8 : 4) * head.frames;
      const type = c.type === 'f64' ? 0 : c.type === 'f32' ? 1 : 2;
      if (at + bytes > data.length) throw new Error('the recording is cut short');
      columns.set(c.name, e.withBytes(data.subarray(at, at + bytes), (from) =>
        e.fill(head.frames, (to) => void e.fn('unpack_column')(from, head.frames, type, c.order, to))));
      at += bytes;
    }
    const body = (s: SideHead): Body | null => (s.model < 0 ? null : models[s.model]?.bodies[s.body] ?? null);
    return new Run(head, [body(head.sides[0]), body(head.sides[1])], columns);
  }

  column(name: string): Float64Array {
    return this.columns.get(name) ?? new Float64Array(this.count);
  }

  get duration(): number {
    return this.count ? this.column('t')[this.count - 1]! : 0;
  }

  frameAt(time: number): number {
    const t = this.column('t');
    let lo = 0;
    let hi = this.count - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (t[mid]! <= time + 1e-9) lo = mid;
      else hi = mid - 1;
    }
    return lo;
  }

  frame(k: number): Frame {
    const row = new Float64Array(RESULT.size);
    for (const [name, at] of ROW) row[at] = this.column(name)[k] ?? 0;
    for (let i = row[RESULT.count]!; i < 4; i++) row[RESULT.error + i] = NaN;
    // b.point - a.point = distance * normal
    for (let i = 0; i < 3; i++)
      row[RESULT.b + 4 + i] = row[RESULT.a + 4 + i]! + row[RESULT.distance]! * row[RESULT.normal + i]!;
    const pose = (side: string): Float64Array => Float64Array.from({ length: 7 }, (_, i) => this.column(`pose_${side}_${i}`)[k]!);
    const force = this.head.dynamic
      ? Float64Array.from(['force_x', 'force_y', 'force_z', 'device_x', 'device_y', 'device_z', 'contact_force'], (n) => this.column(n)[k]!)
      : null;
    return { time: this.column('t')[k]!, row, poseA: pose('a'), poseB: pose('b'), force };
  }
}

export interface Report {
  head: ReportHead;
  models: Model[];
  texts: string[];
  runs: Run[];
}

/** The report inside a document: this one, or one that was dropped. Null: there is none. */
export async function readReport(root: ParentNode, library: WitnessLibrary): Promise<Report | null> {
  const text = block(root, 'report');
  if (text === null) return null;
  const head = JSON.parse(text) as ReportHead;
  const models: Model[] = [];
  const texts: string[] = [];
  for (let i = 0; i < head.models; i++) {
    const bytes = await packedBlock(root, `model-${i}`);
    if (!bytes) throw new Error(`model ${i} of the report is missing`);
    texts.push(new TextDecoder().decode(bytes));
    models.push(library.readModel(bytes));
  }
  const runs: Run[] = [];
  for (let i = 0; i < head.runs.length; i++) {
    const bytes = await packedBlock(root, `run-${i}`);
    if (!bytes) throw new Error(`run ${i} of the report is missing`);
    runs.push(Run.unpack(head.runs[i]!, library, models, bytes));
  }
  return { head, models, texts, runs };
}
