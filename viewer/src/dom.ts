// SPDX-License-Identifier: MIT
// Small makers of elements.

type Child = Node | string | null | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, unknown> = {}, ...children: Child[]):
HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'class') e.className = String(value);
    else e.setAttribute(key, value === true ? '' : String(value));
  }
  for (const c of children) if (c !== null && c !== undefined) e.append(c);
  return e;
}

export function button(label: string, title: string, onclick: () => void, attributes: Record<string, unknown> = {}): HTMLButtonElement {
  return el('button', { type: 'button', title, 'aria-label': title, onclick, ...attributes }, label);
}

export function toggle(label: string, on: boolean, change: (on: boolean) => void, title?: string): HTMLLabelElement {
  const box = el('input', { type: 'checkbox' });
  box.checked = on;
  box.addEventListener('change', () => change(box.checked));
  return el('label', { class: 'toggle', title }, box, el('span', {}, label));
}

export function choice(label: string, options: readonly [string, string][], value: string, change: (value: string) => void,
  id?: string): HTMLLabelElement {
  const select = el('select', { id }, ...options.map(([v, text]) => el('option', { value: v }, text)));
  select.value = value;
  select.addEventListener('change', () => change(select.value));
  return el('label', { class: 'field' }, el('span', {}, label), select);
}

/** A slider over a logarithmic range, with its value beside it. */
export function logSlider(label: string, lo: number, hi: number, value: number, show: (x: number) => string,
  change: (x: number) => void, id?: string): HTMLLabelElement {
  const steps = 300;
  const toSlider = (x: number): number => Math.round((steps * Math.log(x / lo)) / Math.log(hi / lo));
  const fromSlider = (s: number): number => lo * (hi / lo) ** (s / steps);
  const input = el('input', { type: 'range', min: 0, max: steps, step: 1, value: toSlider(value), id });
  const text = el('output', {}, show(value));
  input.addEventListener('input', () => {
    const x = Number(fromSlider(Number(input.value)).toPrecision(3));
    text.textContent = show(x);
    change(x);
  });
  return el('label', { class: 'field' }, el('span', {}, label), input, text);
}
