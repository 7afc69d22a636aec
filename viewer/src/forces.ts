// SPDX-License-Identifier: MIT
// The device in the hand, the coupler to the proxy, and the force.
import * as THREE from 'three';

const DEVICE = 0x009e73;
const FORCE = 0xd55e00;

export class Forces {
  readonly group = new THREE.Group();
  private readonly device: THREE.Mesh;
  private readonly coupler: THREE.Line;
  private readonly arrow: THREE.ArrowHelper;
  private size = 1;
  /** Length of the arrow per force. */
  private perForce = 0;
  private largest = 0;

  constructor(private readonly touch: () => void) {
    this.device = new THREE.Mesh(new THREE.OctahedronGeometry(1.5), new THREE.MeshBasicMaterial({ color: DEVICE, wireframe: true, depthTest: false }));
    this.device.renderOrder = 21;
    this.coupler = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineDashedMaterial({ color: DEVICE, depthTest: false }));
    this.coupler.renderOrder = 19;
    this.coupler.frustumCulled = false;
    this.arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, FORCE);
    for (const o of [this.arrow.line, this.arrow.cone]) {
      (o.material as THREE.Material).depthTest = false;
      o.renderOrder = 22;
    }
    this.group.add(this.device, this.coupler, this.arrow);
    this.group.visible = false;
  }

  setScale(radius: number): void {
    this.size = radius;
    this.largest = 0;
  }

  /** force 3, device 3, contact force; at: the tool. */
  show(force: Float64Array | null, at: THREE.Vector3): void {
    this.group.visible = force !== null && force.every(Number.isFinite);
    if (!force || !this.group.visible) return;
    const f = new THREE.Vector3(force[0], force[1], force[2]);
    const device = new THREE.Vector3(force[3], force[4], force[5]);
    this.device.position.copy(device);
    this.coupler.geometry.dispose();
    this.coupler.geometry = new THREE.BufferGeometry().setFromPoints([device, at]);
    this.coupler.computeLineDistances();
    this.largest = Math.max(this.largest, f.length());
    this.perForce = this.largest > 0 ? (0.5 * this.size) / this.largest : 0;
    const length = f.length() * this.perForce;
    this.arrow.visible = length > 1e-4 * this.size;
    if (this.arrow.visible) {
      this.arrow.position.copy(device);
      this.arrow.setDirection(f.clone().normalize());
      this.arrow.setLength(length, Math.min(0.35 * length, 0.08 * this.size), Math.min(0.2 * length, 0.045 * this.size));
    }
    this.touch();
  }

  scale(perPixel: (at: THREE.Vector3) => number): void {
    const unit = perPixel(this.device.position);
    this.device.scale.setScalar(5 * unit);
    const m = this.coupler.material as THREE.LineDashedMaterial;
    m.dashSize = 5 * unit;
    m.gapSize = 4 * unit;
  }
}
