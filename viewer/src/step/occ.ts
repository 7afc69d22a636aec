// SPDX-License-Identifier: MIT
// What is used of Open CASCADE, as replicad-opencascadejs binds it. Its own types are 1.6 MB: these are the few of them.

export interface OcTrsf {
  Value(row: number, column: number): number;
  SetScale(centre: object, factor: number): void;
}

export interface OcShape {
  IsNull(): boolean;
  /** The same but for place and turn. */
  IsPartner(other: OcShape): boolean;
  Location(): { Transformation(): OcTrsf };
  Located(at: object, raise: boolean): OcShape;
}

export interface OcReader {
  ReadFile(path: string): unknown;
  SetSystemLengthUnit(millimetres: number): void;
  TransferRoots(): number;
  OneShape(): OcShape;
  Model(): { NbEntities(): number };
  ClearShapes(): void;
  NbShapes(): number;
  Shape(n: number): OcShape;
  TransferOne(n: number): boolean;
}

export interface OpenCascade {
  FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
  TopAbs_ShapeEnum: Record<string, unknown>;
  TopExp_Explorer: new (shape: OcShape, find: unknown, avoid: unknown) => { More(): boolean; Next(): void; Current(): OcShape };
  STEPControl_Reader: new () => OcReader;
  BRepBuilderAPI_Sewing: new (tolerance: number, a: boolean, b: boolean, c: boolean, d: boolean) => { Add(s: OcShape): void; Perform(): void; SewedShape(): OcShape };
  BRepBuilderAPI_Transform: new (shape: OcShape, by: OcTrsf, copy: boolean, mesh: boolean) => { Shape(): OcShape };
  BRep_Tool: { IsClosed(shape: OcShape): boolean };
  BRepTools: { Clean(shape: OcShape, force: boolean): void };
  BRepToolsWrapper: { Write(shape: OcShape): string };
  BRepBndLib: { Add(shape: OcShape, box: object, triangles: boolean): void };
  Bnd_Box: new () => { IsVoid(): boolean; SquareExtent(): number };
  ShapeFix_Solid: new () => { SolidFromShell(shell: OcShape): OcShape };
  TopoDS: { Shell(shape: OcShape): OcShape };
  TopLoc_Location: new () => object;
  gp_Trsf: new () => OcTrsf;
  gp_Pnt: new (x: number, y: number, z: number) => object;
}

export type StartOpenCascade = (options: { wasmBinary: ArrayBuffer; locateFile: (name: string) => string; print: (s: string) => void; printErr: (s: string) => void }) => Promise<OpenCascade>;
