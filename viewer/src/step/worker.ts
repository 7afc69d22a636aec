// SPDX-License-Identifier: MIT
// A STEP file beside the page: whoever waits can end it. build.mjs puts it, Open CASCADE's script and module into step.js.
import startCascade from 'open-cascade';
import { start as startLibrary } from '../../../wasm/src/core.js';
import { convertStep, type Converted } from './convert.js';
import type { OpenCascade, StartOpenCascade } from './occ.js';

export interface StepAsk {
  name: string;
  bytes: ArrayBuffer;
  /** Open CASCADE's module. */
  cascade: ArrayBuffer;
  /** The library's own. */
  wasm: ArrayBuffer;
}

export type StepAnswer = { type: 'progress'; text: string } | { type: 'done'; converted: Converted } | { type: 'failed'; text: string };

const post = (m: StepAnswer): void => (self as unknown as Worker).postMessage(m);

/** Exceptions of C++ are numbers: the words are inside the module. */
function words(oc: OpenCascade | null, e: unknown): string {
  if (e instanceof Error) return e.message;
  const text = (oc as unknown as { getExceptionMessage?: (e: unknown) => [string, string] } | null)?.getExceptionMessage?.(e);
  return `Open CASCADE gave up: ${text ? text.join(' ') : String(e)}`;
}

self.onmessage = async (e: MessageEvent<StepAsk>): Promise<void> => {
  let oc: OpenCascade | null = null;
  try {
    post({ type: 'progress', text: 'Open CASCADE starts' });
    const nothing = (): void => {};
    const [cascade, library] = await Promise.all([
      (startCascade as unknown as StartOpenCascade)({ wasmBinary: e.data.cascade, locateFile: (name) => name, print: nothing, printErr: nothing }), startLibrary(e.data.wasm)]);
    oc = cascade;
    post({ type: 'done', converted: convertStep(oc, library, e.data.name, new Uint8Array(e.data.bytes), (text) => post({ type: 'progress', text })) });
  } catch (fault) {
    post({ type: 'failed', text: words(oc, fault) });
  }
};
