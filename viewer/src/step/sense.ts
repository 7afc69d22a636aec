// SPDX-License-Identifier: MIT
// What a STEP file itself says of the sense of its faces and loops, as cad/step_sense.cpp: Open CASCADE's healing may turn a loop round
// on a closed surface, and the face is then all that it was not.
import type { OcReader, OcShape, OpenCascade } from './occ.js';

/** Of a face: which way its loops pass its edges, by the order of the edges; 1 along the curve, -1 against it, 0 not told. */
export interface Statement {
  reversed: boolean;
  passes: number[];
}

interface Entity {
  kind: string;
  fields: string;
  /** As Open CASCADE counts: by the order in the file, from 1. */
  number: number;
}

const refs = (s: string): string[] => [...s.matchAll(/#(\d+)/g)].map((m) => m[1]!);
/** The last .T. or .F. of an entity. */
const flag = (s: string): boolean => /\.([TF])\.\s*\)?\s*$/.exec(s)?.[1] !== 'F';

export class Sense {
  private readonly entities = new Map<string, Entity>();
  /** Faces of shells that are used in the other sense, as voids are. */
  private readonly turned = new Set<string>();
  private readonly faces: { id: string; shape: OcShape }[] = [];
  private readonly edges = new Map<string, OcShape>();
  private next = 0;

  constructor(text: string, private readonly oc: OpenCascade, private readonly reader: OcReader) {
    const data = text.slice(Math.max(0, text.search(/\bDATA\s*;/))).replace(/'[^']*'|\/\*[^]*?\*\//g, "''");
    let number = 0;
    for (const m of data.matchAll(/#(\d+)\s*=\s*([A-Z_0-9]*)\s*\(([^;]*)\)\s*;/g)) this.entities.set(m[1]!, { kind: m[2]!, fields: m[3]!, number: ++number });
    // another count is another numbering: then nothing is known of any face
    if (number !== reader.Model().NbEntities()) this.entities.clear();
    for (const e of this.entities.values()) if (e.kind === 'BREP_WITH_VOIDS') for (const id of refs(e.fields)) this.addVoid(id);
    for (const [id, e] of this.entities) {
      if (e.kind !== 'ADVANCED_FACE' && e.kind !== 'FACE_SURFACE') continue;
      const shape = this.shapeOf(e);
      if (shape) this.faces.push({ id, shape });
    }
  }

  private addVoid(id: string): void {
    const e = this.entities.get(id);
    if (e?.kind !== 'ORIENTED_CLOSED_SHELL' || flag(e.fields)) return;
    for (const shell of refs(e.fields)) for (const face of refs(this.entities.get(shell)?.fields ?? '')) this.turned.add(face);
  }

  /** What was made of an entity when the whole was read. */
  private shapeOf(e: Entity): OcShape | null {
    this.reader.ClearShapes();
    if (!this.reader.TransferOne(e.number) || !this.reader.NbShapes()) return null;
    const s = this.reader.Shape(this.reader.NbShapes());
    return s.IsNull() ? null : s;
  }

  /** How the loops of a face pass its edges, with the surface's own normal upwards: 1, -1, or 0 for both ways. */
  private passages(face: Entity): Map<string, number> {
    const out = new Map<string, number>();
    for (const b of refs(face.fields)) {
      const bound = this.entities.get(b);
      if (!bound || !/^FACE_(OUTER_)?BOUND$/.test(bound.kind)) continue;
      for (const l of refs(bound.fields)) for (const o of refs(this.entities.get(l)?.fields ?? '')) {
        const use = this.entities.get(o);
        if (use?.kind !== 'ORIENTED_EDGE') continue;
        const id = refs(use.fields).pop()!;
        const edge = this.entities.get(id);
        if (edge?.kind !== 'EDGE_CURVE') continue;
        let along = flag(use.fields) === flag(edge.fields);
        if (!flag(bound.fields)) along = !along;
        if (!flag(face.fields)) along = !along;
        const way = along ? 1 : -1;
        out.set(id, out.has(id) && out.get(id) !== way ? 0 : way);
      }
    }
    return out;
  }

  private edge(id: string): OcShape | null {
    if (!this.edges.has(id)) {
      const s = this.shapeOf(this.entities.get(id)!);
      if (s) this.edges.set(id, s);
    }
    return this.edges.get(id) ?? null;
  }

  /** Of every face of a body, in its order; null: nothing is known. */
  of(body: OcShape): (Statement | null)[] {
    const kinds = this.oc.TopAbs_ShapeEnum;
    const all = (s: OcShape, kind: string): OcShape[] => {
      const out: OcShape[] = [];
      for (const e = new this.oc.TopExp_Explorer(s, kinds[kind], kinds['TopAbs_SHAPE']); e.More(); e.Next()) out.push(e.Current());
      return out;
    };
    return all(body, 'TopAbs_FACE').map((face) => {
      const n = this.faces.length;
      // mostly in the order of the file
      let k = 0;
      while (k < n && !this.faces[(this.next + k) % n]!.shape.IsPartner(face)) k++;
      if (k === n) return null;
      const { id } = this.faces[(this.next + k) % n]!;
      this.next = (this.next + k + 1) % n;
      const e = this.entities.get(id)!;
      const said = [...this.passages(e)].map(([edge, way]) => ({ shape: this.edge(edge), way }));
      const passes = all(face, 'TopAbs_EDGE').map((x) => said.find((s) => s.shape?.IsPartner(x))?.way ?? 0);
      return { reversed: !flag(e.fields) !== this.turned.has(id), passes };
    });
  }
}
