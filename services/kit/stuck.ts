import { Worker } from 'node:worker_threads';
import { STUCK_LOOK_MS, STUCK_LOOKS_MAX } from './bounds.js';
import type { Watched } from './stuck-watch.js';

/**
 * Ends the process by force once its event loop has not turned for STUCK_LOOKS_MAX looks in a row, so that who runs it starts it again: compose
 * and `npm start` restart what ends, and nothing that hangs. Kubernetes finds it sooner by `/livez`. A breakpoint would count as well.
 * Process 1 of a container cannot be ended from within: there it takes an `init`.
 */
export function endWhenStuck(service: string, lookMs = STUCK_LOOK_MS): void {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), lookMs / 2).unref();
  const workerData: Watched = { service, turns, lookMs, looksMax: STUCK_LOOKS_MAX };
  const watch = new Worker(new URL('./stuck-watch.js', import.meta.url), { workerData, execArgv: [] });
  watch.unref();
}
