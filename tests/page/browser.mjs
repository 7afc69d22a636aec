// SPDX-License-Identifier: MIT
// What the tests of the page share: Debian's chromium, headless, without a GPU.
import { createRequire } from 'node:module';
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
