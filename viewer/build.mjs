// SPDX-License-Identifier: MIT
// build.mjs WASM OUT: the page as one HTML file. Script and style stand inside with their hashes in its content security
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
