// SPDX-License-Identifier: MIT
// build.mjs WASM OUT: the page as one HTML file, and beside it step.js, which reads STEP files: Open CASCADE, loaded when one is dropped. Script and style stand inside with their hashes in its content security
// policy; the module is packed in base64; nothing is fetched.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const [wasm, out] = process.argv.slice(2);
const common = { bundle: true, minify: true, target: 'es2022', format: 'iife', write: false, legalComments: 'none', logLevel: 'warning' };

async function bundle(entry, extra = {}) {
  const result = await esbuild.build({ ...common, entryPoints: [path.join(here, 'src', entry)], ...extra });
  return result.outputFiles[0].text;
}

const worker = await bundle('worker.ts');
// "</script" must not stand in a script; in code it is only ever in strings
const script = (await bundle('main.ts', { define: { WORKER_SOURCE: JSON.stringify(worker) } })).replace(/<\/script/g, '<\\/script');
const style = (await esbuild.build({ ...common, entryPoints: [path.join(here, 'src', 'style.css')] })).outputFiles[0].text.trim();
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval' 'self' file: blob:`,
  'worker-src blob:',
  `style-src ${hash(style)}`,
  'img-src data: blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const packed = zlib.deflateRawSync(fs.readFileSync(wasm), { level: 9 }).toString('base64');
const parts = { CSP: policy, STYLE: style, WASM: packed, SCRIPT: script };
const page = fs.readFileSync(path.join(here, 'src', 'index.html'), 'utf8').replace(/@([A-Z]+)@/g, (_, key) => parts[key]);
fs.mkdirSync(path.dirname(out), { recursive: true });
fs.writeFileSync(out, page);

// ---- step.js: what reads STEP, in a script of its own (LGPL, 23 MB), so that it can be replaced and is loaded only when it is wanted

const cascade = path.join(here, 'node_modules/replicad-opencascadejs/dist');
/** Functions from text are against the policy of the page: noEval does what they would do. */
const withoutEval = {
  name: 'without-eval',
  setup(build) {
    build.onResolve({ filter: /^open-cascade$/ }, () => ({ path: path.join(cascade, 'replicad_single.js') }));
    build.onLoad({ filter: /replicad_single\.js$/ }, (args) => {
      const text = fs.readFileSync(args.path, 'utf8');
      const parts = text.split('new Function(');
      if (parts.length !== 3) throw new Error('replicad-opencascadejs makes functions from text in other places than before: look at no_eval.ts');
      return { contents: `import { noEval } from ${JSON.stringify(path.join(here, 'src/step/no_eval.ts'))};\n${parts.join('noEval(')}` };
    });
  },
};
const reader = await bundle('step/worker.ts', { plugins: [withoutEval], external: ['node:*'], logOverride: { 'empty-import-meta': 'silent' } });
const wasmOfCascade = zlib.deflateRawSync(fs.readFileSync(path.join(cascade, 'replicad_single.wasm')), { level: 6 }).toString('base64');
fs.writeFileSync(path.join(path.dirname(out), 'step.js'), `/* Reads STEP files for the page of Witness. Holds Open CASCADE Technology as built by replicad-opencascadejs (npm), LGPL-2.1-only:
   the module is raw DEFLATE in base64, so that another build of it can be put in its place; the rest is MIT. */
window.witnessStep = { worker: ${JSON.stringify(reader)}, cascade: "${wasmOfCascade}" };
`);
