// SPDX-License-Identifier: MIT
/**
 * Exact, certified closest points between moving curved bodies.
 *
 *     const witness = await load();
 *     const model = witness.readModel(text);
 *     const answer = witness.query().point(model.bodies[0], [1, 2, 3]);
 */
import { start, type WitnessLibrary } from './core.js';

export * from './core.js';

async function ownModule(): Promise<WebAssembly.Module> {
  const url = new URL('./witness.wasm', import.meta.url);
  if (url.protocol === 'file:') {
    const fs = await import('node:fs/promises' as string) as { readFile(u: URL): Promise<Uint8Array> };
    return WebAssembly.compile(await fs.readFile(url) as BufferSource);
  }
  return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
}

/** Starts the library; `module` is a compiled module or its bytes, where the one beside this file is not to be taken. */
export async function load(module?: WebAssembly.Module | BufferSource): Promise<WitnessLibrary> {
  return start(module ?? await ownModule());
}
