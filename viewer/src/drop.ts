// SPDX-License-Identifier: MIT
// Files that are dropped on the page or chosen: models, scenes, reports, patches.
import { WitnessError, type Model, type WitnessLibrary } from '../../wasm/src/core.js';
import { readReport, type Report, type Run } from './data.js';
import { runScene } from './scenes.js';
import { isStep, joined, readStep } from './step_file.js';
import type { Note } from './step/convert.js';

export type Dropped =
  | { kind: 'report'; report: Report }
  | { kind: 'run'; run: Run; texts: string[] }
  | { kind: 'model'; model: Model; text: string; name: string; notes?: Note[] };

/** What reading a STEP file needs of the page. */
export interface Waiting {
  wasm: Uint8Array;
  progress: (text: string) => void;
  cancel: (end: () => void) => void;
}

/** A sentence for the user: the file, the place, the reason. */
export function complaint(file: string, e: unknown): string {
  if (e instanceof WitnessError) return `${file}: ${e.line > 0 ? `line ${e.line}, column ${e.column}: ` : ''}${e.item ? `${e.item}: ` : ''}${e.reason}`;
  if (e instanceof SyntaxError) return `${file}: it is not JSON: ${e.message}`;
  return `${file}: ${e instanceof Error ? e.message : String(e)}`;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}

/** Every file that a scene names. */
function named(value: unknown, out: string[] = []): string[] {
  if (Array.isArray(value)) for (const v of value) named(v, out);
  else if (value && typeof value === 'object')
    for (const [k, v] of Object.entries(value)) {
      if ((k === 'model' || k === 'file') && typeof v === 'string') out.push(v);
      else named(v, out);
    }
  return out;
}

async function openScene(library: WitnessLibrary, text: string, files: File[]): Promise<Dropped> {
  let wanted: string[] = [];
  try {
    wanted = named(JSON.parse(text));
  } catch {
    // the reader says where the fault is
  }
  const texts: string[] = [];
  for (const path of wanted) {
    const found = files.find((f) => f.name === baseName(path));
    if (!found) continue;
    const content = await found.text();
    texts.push(content);
    library.addFile(`dropped/${path}`, content);
  }
  const missing = wanted.filter((p) => !files.some((f) => f.name === baseName(p)));
  if (missing.length) throw new Error(`it names ${missing.map(baseName).join(', ')}: drop these files together with the scene`);
  const scene = library.readScene(text, 'dropped');
  return { kind: 'run', run: runScene(library, scene, text), texts };
}

/** One STEP file or several: their bodies stand in one model. */
async function openStep(library: WitnessLibrary, files: File[], wait: Waiting): Promise<Dropped> {
  const texts: string[] = [];
  const notes: Note[] = [];
  for (const f of files) {
    try {
      const c = await readStep(f, wait.wasm, wait.progress, wait.cancel);
      texts.push(c.text);
      notes.push(...c.notes.map((n) => (files.length > 1 ? { ...n, where: `${f.name}: ${n.where}` } : n)));
    } catch (e) {
      throw e instanceof Error ? Object.assign(e, { message: `${f.name}: ${e.message}` }) : e;
    }
  }
  const text = joined(texts);
  return { kind: 'model', model: library.readModel(text), text, name: files.map((f) => f.name).join(', '), notes };
}

export async function openFiles(library: WitnessLibrary, files: File[], wait: Waiting): Promise<{ opened: Dropped | null; file: string }> {
  const steps = files.filter((f) => isStep(f.name));
  if (steps.length) return { opened: await openStep(library, steps, wait), file: steps[0]!.name };
  const texts = new Map<File, string>();
  for (const f of files) if (/\.(json|bpt|html?)$/i.test(f.name)) texts.set(f, await f.text());
  const main = files.find((f) => texts.get(f)?.includes('"witness-scene"') && /\.json$/i.test(f.name)) ?? files[0];
  if (!main) return { opened: null, file: '' };
  const text = texts.get(main);
  if (text === undefined) throw new Error(`${main.name}: a model (.json, .bpt, .step), a scene (.json) or a report (.html) is wanted`);
  try {
    if (/\.html?$/i.test(main.name)) {
      const report = await readReport(new DOMParser().parseFromString(text, 'text/html'), library);
      if (!report) throw new Error('it is not a report of Witness');
      return { opened: { kind: 'report', report }, file: main.name };
    }
    if (/\.bpt$/i.test(main.name)) return { opened: { kind: 'model', model: library.readBpt(text), text, name: main.name }, file: main.name };
    if (text.includes('"witness-scene"')) return { opened: await openScene(library, text, files), file: main.name };
    return { opened: { kind: 'model', model: library.readModel(text), text, name: main.name }, file: main.name };
  } catch (e) {
    throw new Error(complaint(main.name, e));
  }
}
