// SPDX-License-Identifier: MIT
// What the tests of the page share: Debian's chromium, headless, without a GPU.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { chromium } = createRequire(path.join(root, 'viewer/package.json'))('playwright-core');

export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  });
}

/** Seconds of processor time that the browser has used so far: of its workers, and of all the rest. From /proc. */
export function spent() {
  const sum = { worker: 0, rest: 0 };
  const parent = new Map();
  for (const pid of fs.readdirSync('/proc').filter((n) => /^[0-9]+$/.test(n))) {
    try {
      parent.set(pid, fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ')[1]);
    } catch { /* it has ended */ }
  }
  const ours = (pid) => pid !== undefined && pid !== '0' && (pid === `${process.pid}` || ours(parent.get(pid)));
  for (const pid of parent.keys()) {
    if (pid === `${process.pid}` || !ours(pid)) continue;
    try {
      for (const task of fs.readdirSync(`/proc/${pid}/task`)) {
        const [name, fields] = fs.readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8').split(/\((.*)\) /).slice(1);
        const ticks = fields.split(' ');
        sum[name.startsWith('DedicatedWorker') ? 'worker' : 'rest'] += (Number(ticks[11]) + Number(ticks[12])) / 100;
      }
    } catch { /* it has ended */ }
  }
  return sum;
}

/** A page at an address; `faults` collects what it complains of and what it asks the network for. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') faults.push(`${m.type()}: ${m.text()}`);
  });
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
  page.on('request', (r) => {
    if (!/^(file|data|blob):/.test(r.url()) && !r.url().startsWith('http://127.0.0.1:')) faults.push(`request: ${r.url()}`);
  });
  await page.goto(address);
  try {
    await page.waitForSelector('html[data-ready=true]', { timeout: 20000, state: 'attached' });
  } catch {
    throw new Error(`${address} does not come up: ${faults.join('; ')} ${await page.evaluate(() => document.body.innerText.slice(0, 300))}`);
  }
  return { page, context, faults };
}
