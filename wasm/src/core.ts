// SPDX-License-Identifier: MIT
// Everything but where the module comes from.
import { Engine } from './engine.js';
import { WitnessLibrary } from './witness.js';

export * from './layout.js';
export * from './types.js';
export { Body, Model, type Mesh } from './body.js';
export { Query, Scene, Tracker } from './track.js';
export { World, type ToolOptions } from './world.js';
export { WitnessLibrary, type GainLimits } from './witness.js';
export { WitnessError } from './engine.js';

/** Starts the library from a compiled module or its bytes. */
export async function start(module: WebAssembly.Module | BufferSource): Promise<WitnessLibrary> {
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
  return new WitnessLibrary(await Engine.start(compiled));
}
