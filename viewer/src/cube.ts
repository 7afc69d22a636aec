// SPDX-License-Identifier: MIT
// The cube in the corner: which way is up, and views along the axes by clicking its sides. A canvas of its own, drawn when the view turns.
import * as THREE from 'three';
import { el } from './dom.js';
import type { Theme } from './stage.js';

const SIZE = 92;
const HALF = 0.55; // of an edge, where the canvas is 2.1 wide
const SCALE = SIZE / 2.1;

interface Side {
  name: string;
  normal: THREE.Vector3;
  right: THREE.Vector3;
  up: THREE.Vector3;
}

const v = (x: number, y: number, z: number): THREE.Vector3 => new THREE.Vector3(x, y, z);
const SIDES: Side[] = [
  { name: '+X', normal: v(1, 0, 0), right: v(0, 1, 0), up: v(0, 0, 1) },
  { name: '−X', normal: v(-1, 0, 0), right: v(0, -1, 0), up: v(0, 0, 1) },
  { name: '+Y', normal: v(0, 1, 0), right: v(-1, 0, 0), up: v(0, 0, 1) },
  { name: '−Y', normal: v(0, -1, 0), right: v(1, 0, 0), up: v(0, 0, 1) },
  { name: '+Z', normal: v(0, 0, 1), right: v(1, 0, 0), up: v(0, 1, 0) },
  { name: '−Z', normal: v(0, 0, -1), right: v(1, 0, 0), up: v(0, -1, 0) },
];

/** Straight along z "up" would be lost: a hair off. */
export function lookFrom(normal: THREE.Vector3): THREE.Vector3 {
  return normal.clone().add(v(0, Math.abs(normal.z) > 0.5 ? -1e-3 : 0, 0));
}

export class Cube {
  private readonly canvas = el('canvas', { class: 'cube', title: 'Views along the axes (x, y, z; with Shift from the other side)', 'aria-hidden': 'true' });
  private readonly drawn = new THREE.Quaternion(0, 0, 0, 0);
  private fill = '#fff';
  private shade = '#ddd';
  private ink = '#000';
  private turn = new THREE.Quaternion();

  constructor(host: HTMLElement, direct: (from: THREE.Vector3) => void) {
    host.append(this.canvas);
    this.canvas.addEventListener('click', (e) => {
      const box = this.canvas.getBoundingClientRect();
      const side = this.at(e.clientX - box.left - SIZE / 2, e.clientY - box.top - SIZE / 2);
      if (side) direct(lookFrom(side.normal));
    });
  }

  setTheme(theme: Theme): void {
    const css = (c: THREE.Color): string => `#${c.getHexString()}`;
    const ground = new THREE.Color(theme.ground);
    this.fill = css(new THREE.Color(theme.background).lerp(ground, 0.5));
    this.shade = css(ground);
    this.ink = css(new THREE.Color(theme.line));
    this.drawn.set(0, 0, 0, 0);
  }

  /** A vector of the world on the canvas, from its middle. */
  private flat(p: THREE.Vector3): THREE.Vector3 {
    const q = p.clone().applyQuaternion(this.turn);
    return v(q.x * SCALE, -q.y * SCALE, q.z);
  }

  private seen(): Side[] {
    return SIDES.filter((s) => this.flat(s.normal).z > 1e-3);
  }

  private at(x: number, y: number): Side | null {
    for (const s of this.seen()) {
      const [c, r, u] = [s.normal, s.right, s.up].map((w) => this.flat(w.clone().multiplyScalar(HALF))) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
      const det = r.x * u.y - r.y * u.x;
      const a = ((x - c.x) * u.y - (y - c.y) * u.x) / det;
      const b = (r.x * (y - c.y) - r.y * (x - c.x)) / det;
      if (Math.abs(a) <= 1 && Math.abs(b) <= 1) return s;
    }
    return null;
  }

  draw(camera: THREE.Camera): void {
    if (this.drawn.equals(camera.quaternion)) return;
    this.drawn.copy(camera.quaternion);
    this.turn.copy(camera.quaternion).invert();
    const dots = Math.min(2, devicePixelRatio);
    this.canvas.width = this.canvas.height = SIZE * dots;
    const g = this.canvas.getContext('2d', { willReadFrequently: true })!;
    g.lineJoin = 'round';
    for (const s of this.seen()) {
      const [c, r, u] = [s.normal, s.right, s.up].map((w) => this.flat(w.clone().multiplyScalar(HALF))) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
      // 48 steps from the middle of a side to its border
      g.setTransform((dots * r.x) / 48, (dots * r.y) / 48, (-dots * u.x) / 48, (-dots * u.y) / 48, dots * (SIZE / 2 + c.x), dots * (SIZE / 2 + c.y));
      g.fillStyle = Math.abs(s.normal.z) > 0.5 ? this.fill : this.shade;
      g.fillRect(-48, -48, 96, 96);
      g.strokeStyle = g.fillStyle === this.ink ? this.fill : this.ink;
      g.lineWidth = 3;
      g.strokeRect(-48, -48, 96, 96);
      g.fillStyle = this.ink;
      g.font = '600 36px system-ui, sans-serif';
      g.textAlign = 'center';
      g.textBaseline = 'middle';
      g.fillText(s.name, 0, 3);
    }
  }
}
