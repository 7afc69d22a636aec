// SPDX-License-Identifier: MIT
// The few calls of WASI that the readers of files make, over a map from names to bytes: a scene finds its models here.

/** "a/./b/../c" without its dots; a leading slash is taken off. */
export function tidyPath(path: string): string {
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') out.pop();
    else if (part !== '' && part !== '.') out.push(part);
  }
  return out.join('/');
}

interface Open {
  bytes: Uint8Array;
  at: number;
}

const BAD_DESCRIPTOR = 8;
const NO_ENTRY = 44;
const NOT_SUPPORTED = 58;
const FIRST_FILE = 4; // 0 to 2 are the standard streams, 3 the root

export class Files {
  private readonly files = new Map<string, Uint8Array>();
  private readonly open = new Map<number, Open>();
  private memory!: WebAssembly.Memory;

  set(path: string, bytes: Uint8Array): void {
    this.files.set(tidyPath(path), bytes);
  }

  delete(path: string): void {
    this.files.delete(tidyPath(path));
  }

  attach(memory: WebAssembly.Memory): void {
    this.memory = memory;
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private read(fd: number, vectors: number, count: number, got: number): number {
    const file = this.open.get(fd);
    if (!file) return BAD_DESCRIPTOR;
    const view = this.view();
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const to = view.getUint32(vectors + 8 * i, true);
      const n = Math.min(view.getUint32(vectors + 8 * i + 4, true), file.bytes.length - file.at);
      new Uint8Array(this.memory.buffer, to, n).set(file.bytes.subarray(file.at, file.at + n));
      file.at += n;
      sum += n;
    }
    view.setUint32(got, sum, true);
    return 0;
  }

  private openPath(path: number, length: number, out: number): number {
    const name = tidyPath(new TextDecoder().decode(new Uint8Array(this.memory.buffer, path, length)));
    const bytes = this.files.get(name);
    if (!bytes) return NO_ENTRY;
    let fd = FIRST_FILE;
    while (this.open.has(fd)) fd++;
    this.open.set(fd, { bytes, at: 0 });
    this.view().setUint32(out, fd, true);
    return 0;
  }

  private seek(fd: number, offset: bigint, whence: number, out: number): number {
    const file = this.open.get(fd);
    if (!file) return BAD_DESCRIPTOR;
    const from = whence === 0 ? 0 : whence === 1 ? file.at : file.bytes.length;
    file.at = Math.max(0, Math.min(file.bytes.length, from + Number(offset)));
    this.view().setBigUint64(out, BigInt(file.at), true);
    return 0;
  }

  private status(fd: number, out: number): number {
    const view = this.view();
    const kind = fd === 3 ? 3 : this.open.has(fd) ? 4 : fd < 3 ? 2 : 0; // directory, file, character device
    if (!kind) return BAD_DESCRIPTOR;
    view.setUint8(out, kind);
    view.setUint16(out + 2, 0, true);
    view.setBigUint64(out + 8, ~0n & 0xffffffffffffffffn, true);
    view.setBigUint64(out + 16, ~0n & 0xffffffffffffffffn, true);
    return 0;
  }

  /** What the module imports. What it does not need is refused. */
  imports(names: string[]): Record<string, (...args: never[]) => number> {
    const known: Record<string, (...args: never[]) => number> = {
      fd_read: ((fd: number, v: number, n: number, got: number) => this.read(fd, v, n, got)) as never,
      fd_close: ((fd: number) => (this.open.delete(fd) ? 0 : BAD_DESCRIPTOR)) as never,
      fd_seek: ((fd: number, o: bigint, w: number, out: number) => this.seek(fd, o, w, out)) as never,
      fd_fdstat_get: ((fd: number, out: number) => this.status(fd, out)) as never,
      fd_fdstat_set_flags: (() => 0) as never,
      fd_prestat_get: ((fd: number, out: number) => {
        if (fd !== 3) return BAD_DESCRIPTOR;
        this.view().setUint32(out, 0, true);
        this.view().setUint32(out + 4, 1, true);
        return 0;
      }) as never,
      fd_prestat_dir_name: ((fd: number, to: number) => {
        if (fd !== 3) return BAD_DESCRIPTOR;
        this.view().setUint8(to, '/'.charCodeAt(0));
        return 0;
      }) as never,
      path_open: ((_fd: number, _f: number, path: number, length: number, _o: number, _b: bigint, _i: bigint, _x: number,
        out: number) => this.openPath(path, length, out)) as never,
      proc_exit: ((code: number) => {
        throw new Error(`the module ended with code ${code}`);
      }) as never,
    };
    const out: Record<string, (...args: never[]) => number> = {};
    for (const name of names) out[name] = known[name] ?? (() => NOT_SUPPORTED);
    return out;
  }
}
