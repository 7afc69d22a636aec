// SPDX-License-Identifier: MIT
// A STEP file to the model's text, as cad/ makes it: Open CASCADE reads and heals, the shapes are written as they are, the library
// judges each body and closes its gaps.
import { WitnessError, type Model, type WitnessLibrary } from '../../../wasm/src/core.js';
import { Brep } from './brep.js';
import { BodyText, type Take } from './body.js';
import type { OcReader, OpenCascade, OcShape } from './occ.js';
import { Sense } from './sense.js';
import { isRigid, type Place } from './shapes.js';
import { bodyNames, lengthUnit, notRead, stepFault, type Unit } from './syntax.js';
import { number, vector } from './text.js';

export interface Note {
  lost: boolean;
  where: string;
  text: string;
}

export interface Converted {
  text: string;
  unit: string;
  bodies: number;
  notes: Note[];
}

export type Progress = (text: string) => void;

interface Part {
  shape: OcShape;
  place: Place;
}

const SMALL_MM = 0.1; // below, and beyond, Open CASCADE's tolerances, which are lengths, do not fit: another unit is read into
const LARGE_MM = 1e5;
const CLOSE = [1e-6, 1e-5, 1e-4, 1e-3]; // of the size: within which loops have to close, tried in turn

// ---- reading

function placeOf(shape: OcShape): Place {
  const t = shape.Location().Transformation();
  return [1, 2, 3].flatMap((i) => [1, 2, 3, 4].map((j) => t.Value(i, j)));
}

function within(oc: OpenCascade, shape: OcShape, kind: string, notIn: string): OcShape[] {
  const out: OcShape[] = [];
  const kinds = oc.TopAbs_ShapeEnum;
  for (const e = new oc.TopExp_Explorer(shape, kinds[`TopAbs_${kind}`], kinds[`TopAbs_${notIn}`]); e.More(); e.Next()) out.push(e.Current());
  return out;
}

/** Faces that belong to no shell, sewn where they meet; a shell that closes is a solid. */
function sewn(oc: OpenCascade, faces: OcShape[], notes: Note[]): OcShape[] {
  const sewing = new oc.BRepBuilderAPI_Sewing(1e-6, true, true, true, false);
  for (const f of faces) sewing.Add(f);
  sewing.Perform();
  const whole = sewing.SewedShape();
  const shells = within(oc, whole, 'SHELL', 'SHAPE');
  const loose = within(oc, whole, 'FACE', 'SHELL');
  let closed = 0;
  const bodies = shells.map((s) => {
    if (!oc.BRep_Tool.IsClosed(s)) return s;
    closed++;
    return new oc.ShapeFix_Solid().SolidFromShell(oc.TopoDS.Shell(s));
  });
  if (faces.length > 1) notes.push({ lost: false, where: 'the file', text: `${faces.length} loose faces sewn: ${shells.length} shells, ${closed} of them closed; ${loose.length} faces still loose` });
  return [...bodies, ...loose];
}

function read(oc: OpenCascade, path: string, millimetres: number): { reader: OcReader; shape: OcShape } | null {
  const reader = new oc.STEPControl_Reader();
  if (!String(reader.ReadFile(path)).includes('RetDone')) return null;
  reader.SetSystemLengthUnit(millimetres);
  reader.TransferRoots();
  const shape = reader.OneShape();
  return shape.IsNull() ? null : { reader, shape };
}

function sizeOf(oc: OpenCascade, shape: OcShape): number {
  const box = new oc.Bnd_Box();
  oc.BRepBndLib.Add(shape, box, false);
  return box.IsVoid() ? 0 : Math.sqrt(box.SquareExtent());
}

// ---- bodies

class Maker {
  constructor(private readonly library: WitnessLibrary, private readonly unit: string) {}

  text(head: string, bodies: string[]): string {
    return `{\n  "format": "witness-model",\n  "version": 1,\n  ${head}"unit": "${this.unit}",\n  "bodies": [\n    ${bodies.map((b) => `{${b}}`).join(',\n    ')}\n  ]\n}\n`;
  }

  private built(body: string): Model | WitnessError {
    try {
      return this.library.readModel(this.text('', [body]));
    } catch (e) {
      if (e instanceof WitnessError) return e;
      throw e;
    }
  }

  /** A face on its own may need all of the file's parameter curves, or none. */
  private settleFace(b: BodyText, face: number): WitnessError | null {
    const f = b.faces[face]!;
    const before = f.take;
    let said: WitnessError | null = null;
    for (const take of ['close', 'all', 'none'] as Take[]) {
      if (before === 'none' && take !== 'none') continue;
      f.take = take;
      const m = this.built(b.json(face));
      if (!(m instanceof WitnessError)) {
        m.free();
        return null;
      }
      said = m;
    }
    f.take = before;
    return said;
  }

  /** First all of it; where it is refused, face by face. */
  private attempt(b: BodyText): Model | string {
    let m = this.built(b.json());
    if (!(m instanceof WitnessError)) return m;
    for (let f = 0; f < b.faces.length; f++) {
      const said = this.settleFace(b, f);
      if (said) return `face ${f}: ${said.reason}`;
    }
    m = this.built(b.json());
    return m instanceof WitnessError ? `${m.item.replace(/^bodies\[0\]\.?/, '')}: ${m.reason}` : m;
  }

  private made(b: BodyText): Model | string {
    let first = '';
    for (const share of CLOSE) {
      const close = Math.max(2 * b.tolerance, share * b.size);
      if (first && !(close > b.close)) continue;
      b.close = close;
      const m = this.attempt(b);
      if (typeof m !== 'string') return m;
      first ||= m;
    }
    return first;
  }

  private right(b: BodyText, m: Model): boolean {
    return !b.solid || !m.bodies[0]!.closed || m.bodies[0]!.outward;
  }

  /** The body, turned over where that is what shows it right. */
  private madeOutward(b: BodyText): { made: Model | string; turned: boolean } {
    const m = this.made(b);
    if (typeof m === 'string' || this.right(b, m)) return { made: m, turned: false };
    b.turnOver();
    const other = this.made(b);
    if (typeof other !== 'string' && this.right(b, other)) {
      m.free();
      return { made: other, turned: true };
    }
    b.turnOver();
    if (typeof other !== 'string') other.free();
    return { made: m, turned: false };
  }

  /**
   * The body with its faces and loops as the file says. Where Open CASCADE read them otherwise the file wins, if what it says makes a
   * closed body, or Open CASCADE's reading makes none; a body inside out is turned over. Both are said.
   */
  rightSideOut(b: BodyText, where: string, notes: Note[]): Model | string {
    const { count, contradicts } = b.differing();
    const closed = (m: Model | string): boolean => typeof m !== 'string' && m.bodies[0]!.closed;
    let found: { made: Model | string; turned: boolean };
    if (count) {
      const back = b.takeStatement();
      found = this.madeOutward(b);
      if (!closed(found.made) || !this.right(b, found.made as Model)) {
        back();
        const asRead = this.madeOutward(b);
        if (closed(asRead.made) || (typeof found.made === 'string' && typeof asRead.made !== 'string')) {
          found = asRead;
          notes.push({ lost: false, where, text: 'the senses that the file gives its faces make no closed body; Open CASCADE’s are taken' });
        } else if (typeof found.made !== 'string') {
          b.takeStatement();
          found = this.madeOutward(b);
        }
      }
      if (!(count === b.faces.length && found.turned) && !notes.some((n) => n.where === where && n.text.startsWith('the senses')))
        notes.push({ lost: false, where, text: `${count} ${count === 1 ? 'face' : 'faces'} made as the file says, where Open CASCADE reads the other side` });
    } else found = this.madeOutward(b);
    const m = found.made;
    if (typeof m === 'string') return m;
    if (contradicts >= 0) notes.push({ lost: false, where: `${where}, face ${contradicts}`, text: 'the file’s loops pass some of its edges the other way than Open CASCADE reads' });
    if (found.turned) notes.push({ lost: false, where, text: 'its faces have their outside inside; they were turned over' });
    if (b.solid && !this.right(b, m)) notes.push({ lost: false, where, text: 'which side of its faces is the inside could not be shown' });
    return m;
  }
}

function poseText(p: Place, scale: number): string {
  if (p.every((x, i) => x === (i % 5 === 0 ? 1 : 0))) return '';
  const m = (i: number, j: number): number => p[4 * i + j]!;
  // the largest of the four first: Shepperd's way
  const trace = m(0, 0) + m(1, 1) + m(2, 2);
  const d = [trace, m(0, 0), m(1, 1), m(2, 2)];
  const k = d.indexOf(Math.max(...d));
  const q = [0, 0, 0, 0];
  if (k === 0) {
    q[0] = 1 + trace;
    [q[1], q[2], q[3]] = [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)];
  } else {
    const [a, b, c] = [k - 1, k % 3, (k + 1) % 3] as [number, number, number];
    q[0] = m(c, b) - m(b, c);
    q[1 + a] = 1 + m(a, a) - m(b, b) - m(c, c);
    q[1 + b] = m(b, a) + m(a, b);
    q[1 + c] = m(c, a) + m(a, c);
  }
  const n = Math.hypot(...q);
  return `"pose": {"position": ${vector([scale * m(0, 3), scale * m(1, 3), scale * m(2, 3)])}, "rotation": [${q.map((x) => number(x / n)).join(', ')}]}, `;
}

/** Throws an Error with a sentence for the user. */
export function convertStep(oc: OpenCascade, library: WitnessLibrary, name: string, bytes: Uint8Array, progress: Progress): Converted {
  const text = new TextDecoder('utf-8').decode(bytes);
  const fault = stepFault(text);
  if (fault) throw new Error(fault);
  const notes: Note[] = notRead(text).map((t) => ({ lost: /not read$|refers/.test(t), where: 'the file', text: t }));
  const unit = lengthUnit(text);
  if (!unit.name) notes.push({ lost: false, where: 'units', text: `${unit.called ? `the file’s unit is '${unit.called}'` : 'the file does not say its unit'}; lengths are given in mm` });
  const path = '/part.step';
  oc.FS.writeFile(path, bytes);
  progress('Open CASCADE reads it');
  let millimetres = 1;
  let whole = read(oc, path, millimetres);
  const size = whole ? sizeOf(oc, whole.shape) : 0;
  if (whole && ((size > 0 && size < SMALL_MM) || size > LARGE_MM)) {
    millimetres = size < SMALL_MM ? 1e-3 : 1e3;
    whole = read(oc, path, millimetres);
  }
  oc.FS.unlink(path);
  if (!whole) throw new Error('nothing in the file could be made into a shape');
  return bodiesOf(oc, library, { name, text, unit, whole: whole.shape, sense: new Sense(text, oc, whole.reader), scale: (1e-3 * millimetres) / unit.metres }, notes, progress);
}

interface Source {
  name: string;
  text: string;
  unit: Unit;
  whole: OcShape;
  sense: Sense;
  /** Lengths of the model in one of the shape. */
  scale: number;
}

function partsOf(oc: OpenCascade, whole: OcShape, notes: Note[]): Part[] {
  const shapes = [...within(oc, whole, 'SOLID', 'SHAPE'), ...within(oc, whole, 'SHELL', 'SOLID')];
  const loose = within(oc, whole, 'FACE', 'SHELL');
  if (loose.length) shapes.push(...sewn(oc, loose, notes));
  return shapes.map((shape) => ({ shape, place: placeOf(shape) }));
}

function bodiesOf(oc: OpenCascade, library: WitnessLibrary, s: Source, notes: Note[], progress: Progress): Converted {
  const parts = partsOf(oc, s.whole, notes);
  if (!parts.length) throw new Error('it holds no solid, shell or face: perhaps only curves, points or a drawing');
  const stated = (s.text.match(/\b(?:MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS)\s*\(/g) ?? []).length;
  if (stated > parts.length) notes.push({ lost: true, where: 'the file', text: `it states ${stated} solids; Open CASCADE made ${parts.length} bodies` });
  const names = bodyNames(s.text, parts.length, s.name);
  const maker = new Maker(library, s.unit.name || 'mm');
  const bodies: string[] = [];
  parts.forEach((part, i) => {
    const where = `body '${names[i]}'`;
    progress(`${where}, ${i + 1} of ${parts.length}`);
    try {
      bodies.push(`"name": ${JSON.stringify(names[i])}, ${bodyJson(oc, maker, part, s, where, notes)}`);
    } catch (e) {
      notes.push({ lost: true, where, text: e instanceof Error ? e.message : String(e) });
    }
  });
  if (!bodies.length) throw new Error(`no body could be made of it: ${notes.filter((n) => n.lost).map((n) => `${n.where}: ${n.text}`).pop() ?? ''}`);
  const note = [`Read from ${s.name} (STEP) in the page, ${s.unit.name ? `in ${s.unit.name}` : 'without a unit that is known'}.`,
    ...notes.slice(0, 20).map((n) => `${n.lost ? 'LOST ' : ''}${n.where}: ${n.text}`)].join('\n');
  const head = `"name": ${JSON.stringify(s.name.replace(/\.[^.]*$/, '').slice(0, 200))},\n  "note": ${JSON.stringify(note)},\n  `;
  return { text: maker.text(head, bodies), unit: s.unit.name || 'mm', bodies: bodies.length, notes };
}

function bodyJson(oc: OpenCascade, maker: Maker, part: Part, { sense, scale }: Source, where: string, notes: Note[]): string {
  if (!isRigid(part.place)) throw new Error('it is mirrored or scaled where it stands: witness import converts that');
  let shape = part.shape.Located(new oc.TopLoc_Location(), false);
  if (Math.abs(scale - 1) > 1e-15) {
    const by = new oc.gp_Trsf();
    by.SetScale(new oc.gp_Pnt(0, 0, 0), scale);
    shape = new oc.BRepBuilderAPI_Transform(shape, by, true, false).Shape();
  }
  oc.BRepTools.Clean(shape, true);
  const b = new BodyText(new Brep(oc.BRepToolsWrapper.Write(shape)), sense.of(part.shape));
  const model = maker.rightSideOut(b, where, notes);
  if (typeof model === 'string') throw new Error(model);
  model.free();
  const left = b.notTaken();
  if (left.count) notes.push({ lost: false, where, text: `${left.count} parameter curves made anew: read, they lie up to ${left.worst.toPrecision(3)} off their edges` });
  return poseText(part.place, scale) + b.json();
}
