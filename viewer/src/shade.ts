// SPDX-License-Identifier: MIT
// The material of bodies: light from beside the eye and from above, worked out at the corners of triangles, whose normals are exact.
// A fragment costs a product and a sum, so that it is quick without a graphics card too.
import * as THREE from 'three';

const VERTEX = `
varying vec4 vLight;
#ifdef PAINTED
varying vec2 vUv;
#endif
#include <clipping_planes_pars_vertex>
vec2 lit(vec3 n, vec3 eye) {
  vec3 lamp = normalize(vec3(0.25, 0.45, 1.0));
  float up = dot(n, (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
  float bright = 0.42 + 0.10 * up + 0.58 * max(dot(n, lamp), 0.0);
  float shine = pow(max(dot(n, normalize(lamp + eye)), 0.0), 40.0);
  return vec2(bright, 0.16 * shine);
}
void main() {
  vec3 n = normalize(normalMatrix * normal);
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  vec3 eye = normalize(-mvPosition.xyz);
  vLight = vec4(lit(n, eye), lit(-n, eye));
#ifdef PAINTED
  vUv = uv;
#endif
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}`;

const FRAGMENT = `
uniform vec3 tint;
uniform float opacity;
varying vec4 vLight;
#ifdef PAINTED
uniform sampler2D map;
varying vec2 vUv;
#endif
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  vec2 l = gl_FrontFacing ? vLight.xy : vLight.zw;
#ifdef PAINTED
  gl_FragColor = vec4(texture2D(map, vUv).rgb * l.x + l.y, opacity);
#else
  gl_FragColor = vec4(tint * l.x + l.y, opacity);
#endif
}`;

export interface Look {
  opacity?: number;
  /** Colours of a face by its parameters. */
  map?: THREE.Texture;
  /** Behind lines and lit faces at the same place. */
  back?: boolean;
}

export class Shade extends THREE.ShaderMaterial {
  constructor(color: THREE.Color | number, look: Look = {}) {
    const see = look.opacity ?? 1;
    super({
      uniforms: { tint: { value: new THREE.Vector3() }, opacity: { value: see }, map: { value: look.map ?? null } },
      defines: look.map ? { PAINTED: '' } : {},
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.DoubleSide, clipping: true, transparent: see < 1, depthWrite: see === 1,
      polygonOffset: look.back ?? false, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    this.paint(color);
  }

  /** The light is worked out on the colours of the screen, as they are. */
  paint(color: THREE.Color | number): void {
    const c = new THREE.Color(color).getRGB({ r: 0, g: 0, b: 0 }, THREE.SRGBColorSpace);
    (this.uniforms['tint']!.value as THREE.Vector3).set(c.r, c.g, c.b);
  }

  see(opacity: number): void {
    this.uniforms['opacity']!.value = opacity;
    this.transparent = opacity < 1;
    this.depthWrite = opacity === 1;
  }
}
