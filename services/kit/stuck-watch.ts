import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/* A thread beside the process's own, for `exitWhenStuck`. It keeps running when the main thread hangs. */

/** @property turns rises with each turn of the watched event loop */
export interface Watched {
  service: string;
  turns: Int32Array;
  lookMs: number;
  looksMax: number;
}

const { service, turns, lookMs, looksMax } = workerData as Watched;
// Checks are counted, not time, so that a process that was paused does not count as stuck.
for (let [seen, looks] = [-1, 0]; looks < looksMax; ) {
  await sleep(lookMs);
  const now = Atomics.load(turns, 0);
  looks = now === seen ? looks + 1 : 0;
  seen = now;
}
// Loaded late: most threads never need it.
const { createLogger } = await import('./log.js');
createLogger(service, 'fatal').fatal({ lookMs, looksMax }, 'the event loop is stuck; exiting');
process.kill(process.pid, 'SIGKILL');
