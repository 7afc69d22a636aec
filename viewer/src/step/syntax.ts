// SPDX-License-Identifier: MIT
// What the text of a STEP file says by itself: whether it is whole, its unit, its names. Open CASCADE's parser steps over broken
// statements without a word; what is broken is said here, with its line.

/** Where the file begins: behind blanks, a byte order mark, and comments. */
function beginning(text: string): number {
  const m = /^\uFEFF?(?:\s|\/\*[^]*?\*\/)*/.exec(text);
  return m ? m[0].length : 0;
}

/** The text without comments and the insides of quotes, with every line end in its place. */
function bare(text: string): string | { line: number; what: string } {
  const out: string[] = [];
  const open = /'|"|\/\*/g;
  let at = 0;
  for (let m = open.exec(text); m; m = open.exec(text)) {
    out.push(text.slice(at, m.index));
    const end = m[0] === '/*' ? text.indexOf('*/', m.index + 2) : text.indexOf(m[0], m.index + 1);
    if (end < 0) return { line: text.slice(0, m.index).split('\n').length, what: m[0] === '/*' ? 'a comment' : 'a text in quotes' };
    at = end + (m[0] === '/*' ? 2 : 1);
    out.push(m[0] === '/*' ? ' ' : "''", '\n'.repeat(text.slice(m.index, at).split('\n').length - 1));
    open.lastIndex = at;
  }
  out.push(text.slice(at));
  return out.join('');
}

/** "" for a STEP file whose statements all end, and whose parentheses, strings and comments close; else what is wrong. */
export function stepFault(text: string): string {
  if (!text.trim()) return 'it is empty';
  if (!text.startsWith('ISO-10303-21', beginning(text))) return 'it does not begin with ISO-10303-21: it is no STEP file';
  if (!text.includes('END-ISO-10303-21')) return 'the STEP file has no END-ISO-10303-21: it is cut short';
  const plain = bare(text);
  if (typeof plain !== 'string') return `line ${plain.line}: ${plain.what} has no end`;
  let line = 1;
  let inData = false;
  const pieces = plain.split(';');
  const rest = pieces.pop()!;
  for (const piece of pieces) {
    const blank = /^\s*/.exec(piece)![0];
    const first = line + blank.split('\n').length - 1;
    line += piece.split('\n').length - 1;
    const fault = statementFault(piece.slice(blank.length), first, inData);
    if (fault) return fault;
    if (/^DATA\b/.test(piece.slice(blank.length))) inData = true;
    if (/^ENDSEC\b/.test(piece.slice(blank.length))) inData = false;
  }
  return rest.trim() ? `line ${line + /^\s*/.exec(rest)![0].split('\n').length - 1}: the statement at the end has no semicolon` : '';
}

function statementFault(s: string, line: number, inData: boolean): string {
  const label = /^(#\d+)\s*=/.exec(s)?.[1] ?? '';
  const name = label ? `${label} ` : '';
  let depth = 0;
  for (const c of s) {
    if (c === '(') depth++;
    if (c === ')' && --depth < 0) return `line ${line}: the statement ${name}closes a parenthesis that is not open`;
    if (c === '=' && depth > 0 && inData) return `line ${line}: the statement ${name}has a parenthesis that is not closed`;
  }
  if (depth > 0) return `line ${line}: the statement ${name}has a parenthesis that is not closed`;
  if (!inData || /^ENDSEC\b/.test(s) || s === '') return '';
  if ((s.match(/=/g) ?? []).length > 1) return `line ${line}: the statement ${name}has no semicolon at its end`;
  return label ? '' : `line ${line}: the statement has no number`;
}

export interface Unit {
  /** As in a model; "" where it is none of ours. */
  name: string;
  metres: number;
  /** As the file calls it. */
  called: string;
}

const UNITS: [string, number, RegExp][] = [
  ['m', 1, /^(M|METRE|METER)$/], ['cm', 1e-2, /^(CM|CENTIMETRE|CENTIMETER)$/], ['mm', 1e-3, /^(MM|MILLIMETRE|MILLIMETER)$/],
  ['um', 1e-6, /^(UM|MICROMETRE|MICROMETER|MICRON)$/], ['in', 0.0254, /^(IN|INCH|INCHES)$/], ['ft', 0.3048, /^(FT|FOOT|FEET)$/],
];

/** The length unit of the first context that has units. */
export function lengthUnit(text: string): Unit {
  const statement = (id: string): string => new RegExp(`(?:^|[;\\s])#${id}\\s*=\\s*([^;]*);`).exec(text)?.[1] ?? '';
  for (const context of text.matchAll(/GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)/g)) {
    for (const id of context[1]!.matchAll(/#(\d+)/g)) {
      const s = statement(id[1]!);
      if (!/\bLENGTH_UNIT\b/.test(s)) continue;
      const si = /SI_UNIT\s*\(\s*(?:\$|\.(\w+)\.)\s*,\s*\.(\w+)\.\s*\)/.exec(s);
      const called = si ? `${si[1] ?? ''}${si[2]}` : (/CONVERSION_BASED_UNIT\s*\(\s*'([^']*)'/.exec(s)?.[1] ?? '');
      const known = UNITS.find(([, , names]) => names.test(called.toUpperCase()));
      return { name: known?.[0] ?? '', metres: known?.[1] ?? 1e-3, called };
    }
  }
  return { name: '', metres: 1e-3, called: '' };
}

const GENERIC = /^(|Document|SOLID|SHELL|COMPOUND|COMPSOLID|FACE|ASSEMBLY|NONE|[Uu]nnamed|Part|PRODUCT|Open CASCADE.*|=>.*)$/;

function names(text: string, statement: string): string[] {
  return [...text.matchAll(new RegExp(`\\b(?:${statement})\\s*\\(\\s*'([^']*)'`, 'g'))].map((m) => m[1]!);
}

/** A name for each of the bodies, in the order of the file, where it is plain which belongs to which. */
export function bodyNames(text: string, count: number, file: string): string[] {
  const products = [...new Set(names(text, 'PRODUCT'))].filter((n) => !GENERIC.test(n));
  const solids = names(text, 'MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS');
  const base = products.length === 1 ? products[0]! : file.replace(/\.[^.]*$/, '');
  const own = solids.length === count ? solids.map((n) => (GENERIC.test(n) ? '' : n)) : [];
  const used = new Set<string>();
  return Array.from({ length: count }, (_, i) => {
    const wanted = (count > 1 && own[i]) || base || 'body';
    let name = wanted;
    for (let k = 2; used.has(name); k++) name = `${wanted} ${k}`;
    used.add(name);
    return name;
  });
}

/** What the file holds that Open CASCADE's plain reader does not hand over. */
export function notRead(text: string): string[] {
  const out: string[] = [];
  const facets = (text.match(/\bTESSELLATED_(?:SOLID|SHELL)\s*\(/g) ?? []).length;
  if (facets) out.push(`${facets} tessellated: facets, and no exact surfaces; not read`);
  const others = [...text.matchAll(/\bDOCUMENT_FILE\s*\(\s*'([^']+)'/g)].map((m) => m[1]!);
  if (others.length) out.push(`it refers to other files, which are not read: ${others.slice(0, 5).join(', ')}`);
  if (/\bCOLOUR_RGB\s*\(|\bDRAUGHTING_PRE_DEFINED_COLOUR\s*\(/.test(text)) out.push('colours are not read here; witness import keeps them');
  if ((text.match(/\bNEXT_ASSEMBLY_USAGE_OCCURRENCE\s*\(/g) ?? []).length) out.push('names of an assembly’s parts are not read here; witness import keeps them');
  return out;
}
