// SPDX-License-Identifier: MIT
/** The worker's bundle, put in by build.mjs. */
declare const WORKER_SOURCE: string;
/** replicad-opencascadejs, by an alias of build.mjs: its own types are 1.6 MB. */
declare module 'open-cascade' {
  const start: unknown;
  export default start;
}
