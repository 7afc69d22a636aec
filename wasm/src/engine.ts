// SPDX-License-Identifier: MIT
// The module with its memory: strings, rows of doubles, errors.
import { Files } from './files.js';

type Call = (...args: number[]) => number;

/** Why data or a call was refused: what the C library says, with the place in the text that was read. */
export class WitnessError extends Error {
  /** "WIT_ERROR_KEY" and so on. */
  readonly status: string;
  /** Path of the offending field, "surfaces[2].knots_u[5]"; "" where there is none. */
  readonly item: string;
  /** 1-based, 0 where there is no text. */
  readonly line: number;
  readonly column: number;
  /** The sentence without the place. */
  readonly reason: string;

  constructor(status: string, item: string, line: number, column: number, reason: string) {
    const place = line > 0 ? `line ${line}, column ${column}: ` : '';
    super(`${place}${item ? item + ': ' : ''}${reason}`);
    this.name = 'WitnessError';
    this.status = status;
    this.item = item;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  readonly call: Record<string, Call>;
  readonly files: Files;
  readonly memory: WebAssembly.Memory;
  private doubles!: Float64Array;
  private readonly released: FinalizationRegistry<() => void>;

  private constructor(instance: WebAssembly.Instance, files: Files) {
    this.call = instance.exports as unknown as Record<string, Call>;
    this.memory = instance.exports['memory'] as WebAssembly.Memory;
    this.files = files;
    files.attach(this.memory);
    this.released = new FinalizationRegistry((free) => free());
    (instance.exports['_initialize'] as () => void)();
  }

  static async start(module: WebAssembly.Module): Promise<Engine> {
    const files = new Files();
    const imports: WebAssembly.Imports = {};
    for (const { module: from } of WebAssembly.Module.imports(module)) {
      const names = WebAssembly.Module.imports(module).filter((i) => i.module === from).map((i) => i.name);
      imports[from] = files.imports(names);
    }
    return new Engine(await WebAssembly.instantiate(module, imports), files);
  }

  fn(name: string): Call {
    return this.call['wb_' + name]!;
  }

  /** Every double of the memory; made anew when the memory has grown. */
  get f64(): Float64Array {
    if (!this.doubles || this.doubles.buffer !== this.memory.buffer) this.doubles = new Float64Array(this.memory.buffer);
    return this.doubles;
  }

  alloc(bytes: number): number {
    const at = this.fn('alloc')(bytes);
    if (!at) throw new WitnessError('WIT_ERROR_MEMORY', '', 0, 0, 'no memory');
    return at;
  }

  free(at: number): void {
    this.fn('free')(at);
  }

  row(at: number, count: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, count);
  }

  /** A C string. */
  text(at: number): string {
    if (!at) return '';
    const bytes = new Uint8Array(this.memory.buffer);
    let end = at;
    while (bytes[end]) end++;
    return decoder.decode(bytes.subarray(at, end));
  }

  withBytes<T>(bytes: Uint8Array, use: (at: number, length: number) => T): T {
    const at = this.alloc(bytes.length + 1);
    const to = new Uint8Array(this.memory.buffer, at, bytes.length + 1);
    to.set(bytes);
    to[bytes.length] = 0;
    try {
      return use(at, bytes.length);
    } finally {
      this.free(at);
    }
  }

  withText<T>(text: string, use: (at: number, length: number) => T): T {
    return this.withBytes(encoder.encode(text), use);
  }

  withDoubles<T>(values: ArrayLike<number>, use: (at: number) => T): T {
    const at = this.alloc(8 * Math.max(1, values.length));
    this.row(at, values.length).set(values);
    try {
      return use(at);
    } finally {
      this.free(at);
    }
  }

  /** Runs `use` on room for `count` doubles and returns a copy of them. */
  fill(count: number, use: (at: number) => void): Float64Array {
    const at = this.alloc(8 * count);
    try {
      use(at);
      return this.row(at, count).slice();
    } finally {
      this.free(at);
    }
  }

  error(): WitnessError {
    const number = this.fn('error_number');
    const text = this.fn('error_text');
    return new WitnessError(this.text(text(0)), this.text(text(1)), number(1), number(2), this.text(text(2)));
  }

  /** A pointer that must not be null. */
  made(pointer: number): number {
    if (!pointer) throw this.error();
    return pointer;
  }

  good(status: number): void {
    if (status) throw this.error();
  }

  /** Calls `free` when `owner` is collected, unless `token` was handed to `forget` before. */
  watch(owner: object, free: () => void, token: object): void {
    this.released.register(owner, free, token);
  }

  forget(token: object): void {
    this.released.unregister(token);
  }
}
