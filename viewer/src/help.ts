// SPDX-License-Identifier: MIT
import { button, el } from './dom.js';
import { KINDS, LOOK } from './state.js';

const KEYS: [string, string][] = [
  ['space', 'play or pause'], ['← →', 'one frame back, on'], ['Page Up, Page Down', 'ten frames'], ['Home, End', 'first, last frame'],
  ['f', 'show everything'], ['g', 'zoom to the gap'], ['o', 'orthographic or perspective'], ['x, y, z', 'view along an axis; with Shift from its other end'], ['t', 'light or dark'], ['1 to 4', 'replay, live, force, basin'],
  ['← → ↑ ↓ Page Up, Page Down', 'live: move the tool along the axes of the view; with Shift turn it'], ['m, r', 'live: handles that move, that turn'], ['?', 'this'],
];

export function showHelp(): void {
  const dialog = el('dialog', { id: 'help-dialog', 'aria-label': 'Help' }, el('h2', {}, 'What is seen, and the keys'),
    el('table', {}, ...KINDS.map((k) => el('tr', {}, el('td', {}, el('span', { class: `key ${k}` }, el('i', {}, LOOK[k].glyph), LOOK[k].word)), el('td', {}, LOOK[k].text)))),
    el('p', {}, 'The line between the witnesses is solid where the distance is certified, dashed where it is local, thick where bodies overlap. ',
      'Drag turns the view, the wheel comes closer, the right button moves it.'),
    el('table', {}, ...KEYS.map(([k, text]) => el('tr', {}, el('td', {}, el('kbd', {}, k)), el('td', {}, text)))),
    button('Close', 'Close', () => dialog.close()));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
