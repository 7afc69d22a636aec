// SPDX-License-Identifier: MIT
// What the page and its worker say to each other.
import type { ToolOptions, TrackOptions } from '../../wasm/src/core.js';

export type LiveMode = 'track' | 'haptic';

/** The hand on the device: a spring to where the user wants to be, on a mass of its own. */
export interface Hand {
  stiffness: number;
  damping: number;
  mass: number;
  deviceDamping: number;
}

export interface SideText {
  /** Index into the models; -1: a point. */
  model: number;
  body: number;
}

export interface Start {
  mode: LiveMode;
  /** Which side the user moves. */
  moving: 0 | 1;
  poses: [number[], number[]];
  options: TrackOptions;
  tool: ToolOptions;
  hand: Hand;
  rate: number;
}

export interface BasinAsk {
  face: number;
  point: [number, number, number];
  pose: number[];
  options: TrackOptions;
  cells: number;
  steps: number;
  dt: number;
}

export type ToWorker =
  | { type: 'init'; wasm: ArrayBuffer; models: string[]; sides: [SideText, SideText] }
  | { type: 'start'; start: Start }
  | { type: 'target'; pose: number[] }
  | { type: 'record'; on: boolean }
  | { type: 'basin'; ask: BasinAsk }
  | { type: 'stop' };

/** Numbers kept of every step. */
export const KEPT = ['t', 'distance', 'lower', 'residual', 'force', 'flags', 'u'] as const;

export interface Frames {
  type: 'frames';
  /** Rows of KEPT, one for each step since the last message. */
  history: Float64Array;
  row: Float64Array;
  poses: [Float64Array, Float64Array];
  force: Float64Array | null;
  steps: number;
  missed: number;
  /** Mean time of a step since the last message, microseconds. */
  micros: number;
}

export type FromWorker =
  | { type: 'ready' }
  | Frames
  | { type: 'refused'; text: string; item: string }
  | { type: 'unstable'; text: string }
  | { type: 'recording'; times: Float64Array; poses: Float64Array }
  | { type: 'basin'; cells: number; kinds: Uint8Array; box: Float64Array; best: number; share: number };
