import { Worker } from 'node:worker_threads';
import { STUCK_LOOK_MS, STUCK_LOOKS_MAX } from './bounds.js';
import type { Watched } from './stuck-watch.js';

/**
 * Kills the process once its event loop has not turned for STUCK_LOOKS_MAX checks in a row, so that its supervisor restarts it: compose and
 * `npm start` restart what ends, not what hangs. Kubernetes notices sooner by `/livez`. A breakpoint counts as well. Process 1 of a
 * container cannot be killed from within: it needs an `init`.
 */
export function exitWhenStuck(service: string, lookMs = STUCK_LOOK_MS): void {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), lookMs / 2).unref();
  const workerData: Watched = { service, turns, lookMs, looksMax: STUCK_LOOKS_MAX };
  const watch = new Worker(new URL('./stuck-watch.js', import.meta.url), { workerData, execArgv: [] });
  watch.unref();
}
