// SPDX-License-Identifier: MIT
/** The worker's bundle, put in by build.mjs. */
declare const WORKER_SOURCE: string;
