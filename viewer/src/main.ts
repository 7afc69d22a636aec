// SPDX-License-Identifier: MIT
import { App } from './app.js';
import { ownModule, startLibrary } from './data.js';

async function main(): Promise<void> {
  const wasm = await ownModule();
  const app = new App(await startLibrary(wasm), wasm);
  Object.assign(window, { witness: app });
  await app.openOwn();
  document.documentElement.dataset['ready'] = 'true';
}

main().catch((e: unknown) => {
  document.getElementById('app')!.textContent = `The page could not start: ${e instanceof Error ? e.message : String(e)}`;
  throw e;
});
