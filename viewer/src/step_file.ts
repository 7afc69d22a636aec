// SPDX-License-Identifier: MIT
// STEP files that are dropped: step.js beside the page is loaded then, and reads them in a worker that can be cancelled.
import { inflate, unbase64 } from './data.js';
import type { Converted } from './step/convert.js';
import type { StepAnswer, StepAsk } from './step/worker.js';

interface StepScript {
  worker: string;
  cascade: string;
}

export class Cancelled extends Error {}

export const isStep = (name: string): boolean => /\.(step|stp)$/i.test(name);

let script: Promise<StepScript> | null = null;

/** Once; again after a failure, since the user may have put the file there meanwhile. */
function loadScript(): Promise<StepScript> {
  script ??= new Promise<StepScript>((done, fail) => {
    const tag = document.createElement('script');
    const missing = (): void => {
      script = null;
      tag.remove();
      fail(new Error('STEP files are read by step.js, which is not beside this page: make page puts it beside build/page.html, witness view serves it, and witness import reads the file without it'));
    };
    tag.onload = () => {
      const found = (window as unknown as { witnessStep?: StepScript }).witnessStep;
      if (found) done(found);
      else missing();
    };
    tag.onerror = missing;
    tag.src = 'step.js';
    document.head.append(tag);
  });
  return script;
}

/** The model's text of a STEP file. `cancel` is called with what ends it. */
export async function readStep(file: File, wasm: Uint8Array, progress: (text: string) => void, cancel: (end: () => void) => void): Promise<Converted> {
  let end: () => void = () => {};
  const ended = new Promise<never>((_, fail) => (end = () => fail(new Cancelled('cancelled'))));
  cancel(() => end());
  progress(`${file.name}: loading the reader of STEP files`);
  const work = async (): Promise<Converted> => {
    const [found, bytes] = [await loadScript(), await file.arrayBuffer()];
    const cascade = (await inflate(unbase64(found.cascade))).buffer as ArrayBuffer;
    const url = URL.createObjectURL(new Blob([found.worker], { type: 'text/javascript' }));
    const worker = new Worker(url);
    const answer = new Promise<Converted>((done, fail) => {
      worker.onmessage = (e: MessageEvent<StepAnswer>) => {
        if (e.data.type === 'progress') progress(`${file.name}: ${e.data.text}`);
        else if (e.data.type === 'done') done(e.data.converted);
        else fail(new Error(e.data.text));
      };
      worker.onerror = (e) => fail(new Error(`the reader of STEP files broke off: ${e.message}`));
      const ask: StepAsk = { name: file.name, bytes, cascade, wasm: wasm.slice().buffer as ArrayBuffer };
      worker.postMessage(ask, [ask.bytes, ask.cascade, ask.wasm]);
    });
    return Promise.race([answer, ended]).finally(() => {
      worker.terminate();
      URL.revokeObjectURL(url);
    });
  };
  return Promise.race([work(), ended]);
}

/** The bodies of several models as one. */
export function joined(texts: string[]): string {
  if (texts.length === 1) return texts[0]!;
  const models = texts.map((t) => JSON.parse(t) as { name?: string; note?: string; unit: string; bodies: { name: string }[] });
  const unit = models[0]!.unit;
  const other = models.find((m) => m.unit !== unit);
  if (other) throw new Error(`the files are in different units, ${unit} and ${other.unit}: drop them one by one, or convert them by witness import --unit`);
  const used = new Set<string>();
  const bodies = models.flatMap((m) => m.bodies).map((b) => {
    let name = b.name;
    for (let k = 2; used.has(name); k++) name = `${b.name} ${k}`;
    used.add(name);
    return { ...b, name };
  });
  return JSON.stringify({ format: 'witness-model', version: 1, name: models.map((m) => m.name ?? '').join(', '), note: models.map((m) => m.note ?? '').join('\n'), unit, bodies });
}
