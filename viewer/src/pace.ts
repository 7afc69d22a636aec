// SPDX-License-Identifier: MIT
// How fine the view is drawn: as fine as there is time for while it moves, as fine as it can be once it rests.

const SLOW = 27; // milliseconds from picture to picture: above, coarser
const QUICK = 14; // below, finer
const LEAST = 0.7;
const REST = 220; // milliseconds without a change
const LOOK = 6; // pictures between changes

/** Is there no graphics card? Then MSAA costs more than all the rest. */
function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Pace {
  readonly software = drawsInSoftware();
  private moving = Math.min(2, devicePixelRatio);
  private changed = -Infinity;
  private drawn = -Infinity;
  private sharp = false;
  private sum = 0;
  private count = 0;

  /** Pixels of the picture to draw now in one of the page; null: nothing to draw. */
  ratio(now: number, fresh: boolean): number | null {
    if (!fresh) {
      if (this.sharp || now - this.changed < REST) return null;
      this.sharp = true;
      return this.finest();
    }
    this.learn(now - this.drawn);
    this.changed = this.drawn = now;
    this.sharp = this.moving === this.finest();
    return this.moving;
  }

  /** Without MSAA, twice the pixels are what smooths the edges. */
  private finest(): number {
    return this.software ? 2 : Math.min(2, devicePixelRatio);
  }

  private learn(took: number): void {
    if (took > 4 * REST) return; // it rested in between
    this.sum += took;
    if (++this.count < LOOK) return;
    const mean = this.sum / this.count;
    this.sum = this.count = 0;
    const most = Math.min(2, devicePixelRatio);
    if (mean > SLOW) this.moving = Math.max(LEAST, 0.8 * this.moving);
    else if (mean < QUICK) this.moving = Math.min(most, 1.25 * this.moving);
  }
}
