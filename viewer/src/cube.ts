// SPDX-License-Identifier: MIT
// The cube in the corner: which way is up, and views along the axes by clicking its sides.
import * as THREE from 'three';
import type { Theme } from './stage.js';

const SIZE = 92;
const MARGIN = 8;
// the order of BoxGeometry's sides: +x, -x, +y, -y, +z, -z
const SIDES = ['+X', '−X', '+Y', '−Y', '+Z', '−Z'];

export class Cube {
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.OrthographicCamera(-1.05, 1.05, 1.05, -1.05, 0.1, 10);
  private readonly box: THREE.Mesh;

  constructor() {
    this.box = new THREE.Mesh(new THREE.BoxGeometry(1.1, 1.1, 1.1), []);
    this.scene.add(this.box);
    this.camera.up.set(0, 0, 1);
  }

  setTheme(theme: Theme): void {
    const fill = new THREE.Color(theme.background).lerp(new THREE.Color(theme.ground), 0.65);
    const ink = '#' + new THREE.Color(theme.line).getHexString();
    this.box.material = SIDES.map((name, i) => {
      const c = document.createElement('canvas');
      c.width = c.height = 96;
      const g = c.getContext('2d')!;
      g.fillStyle = '#' + fill.getHexString();
      g.fillRect(0, 0, 96, 96);
      g.strokeStyle = ink;
      g.lineWidth = 3;
      g.strokeRect(1, 1, 94, 94);
      g.fillStyle = ink;
      g.font = '600 34px system-ui, sans-serif';
      g.textAlign = 'center';
      g.textBaseline = 'middle';
      // letters stand upright when z is up
      g.translate(48, 50);
      g.rotate([-Math.PI / 2, Math.PI / 2, Math.PI, 0, 0, Math.PI][i]!);
      g.fillText(name, 0, 0);
      const t = new THREE.CanvasTexture(c);
      t.colorSpace = THREE.SRGBColorSpace;
      return new THREE.MeshBasicMaterial({ map: t });
    });
  }

  private aim(camera: THREE.Camera): void {
    camera.getWorldDirection(this.camera.position).multiplyScalar(-4);
    this.camera.quaternion.copy(camera.quaternion);
    this.camera.updateMatrixWorld();
  }

  draw(renderer: THREE.WebGLRenderer, camera: THREE.Camera, size: THREE.Vector2): void {
    if (size.x < 300) return;
    this.aim(camera);
    renderer.clearDepth();
    renderer.setViewport(size.x - SIZE - MARGIN, size.y - SIZE - MARGIN, SIZE, SIZE);
    renderer.render(this.scene, this.camera);
    renderer.setViewport(0, 0, size.x, size.y);
  }

  /** The direction to look from when the place x, y of the canvas was clicked; null: beside the cube. */
  hit(x: number, y: number, width: number, camera: THREE.Camera): THREE.Vector3 | null {
    const u = (x - (width - SIZE - MARGIN)) / SIZE;
    const v = (y - MARGIN) / SIZE;
    if (width < 300 || u < 0 || u > 1 || v < 0 || v > 1) return null;
    this.aim(camera);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * u - 1, 1 - 2 * v), this.camera);
    const found = ray.intersectObject(this.box)[0];
    if (!found?.face) return null;
    // straight from above, "up" would be lost: a hair off
    return found.face.normal.clone().add(new THREE.Vector3(0, Math.abs(found.face.normal.z) > 0.5 ? -1e-3 : 0, 0));
  }
}
