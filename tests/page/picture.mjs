// SPDX-License-Identifier: MIT
// picture.mjs REPORT FRAME OUT: a picture of a report, as docs/page.md shows one.
import path from 'node:path';
import { launch, open } from './browser.mjs';

const [report, frame, out] = process.argv.slice(2);
const browser = await launch();
const { page } = await open(browser, 'file://' + path.resolve(report), { viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
await page.locator('text=Frames overlaid').click();
await page.locator('#frame').evaluate((e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }, Number(frame));
await page.locator('.side').evaluate((e) => e.scrollTo(0, 0));
await page.waitForTimeout(1000);
await page.screenshot({ path: out });
await browser.close();
