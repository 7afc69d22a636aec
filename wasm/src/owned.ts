// SPDX-License-Identifier: MIT
// Memory of the module that an object owns.
import { Engine } from './engine.js';

/** What is freed by hand, or when it is collected. */
export abstract class Owned {
  private freed = false;

  constructor(protected readonly engine: Engine, readonly pointer: number, private readonly kind: string) {
    const free = engine.fn(kind + '_free');
    engine.watch(this, () => free(pointer), this);
  }

  free(): void {
    if (this.freed) return;
    this.freed = true;
    this.engine.forget(this);
    this.engine.fn(this.kind + '_free')(this.pointer);
  }
}

/** A row of doubles in the module's memory: writing to it is writing there. */
export class Rows {
  private view!: Float64Array;

  constructor(private readonly engine: Engine, readonly at: number, readonly count: number) {}

  get array(): Float64Array {
    if (!this.view || this.view.buffer !== this.engine.memory.buffer) this.view = this.engine.row(this.at, this.count);
    return this.view;
  }
}
