import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/* A thread beside the process's own, for `endWhenStuck`. It works on while the other one does not. */

/** @property turns rises with each turn of the event loop that is watched */
export interface Watched {
  service: string;
  turns: Int32Array;
  lookMs: number;
  looksMax: number;
}

const { service, turns, lookMs, looksMax } = workerData as Watched;
// Looks are counted and not time, so that a process that was stopped for a while is not taken for stuck.
for (let [seen, looks] = [-1, 0]; looks < looksMax; ) {
  await sleep(lookMs);
  const now = Atomics.load(turns, 0);
  looks = now === seen ? looks + 1 : 0;
  seen = now;
}
// Not before: most threads never need it.
const { createLogger } = await import('./log.js');
createLogger(service, 'fatal').fatal({ lookMs, looksMax }, 'the event loop does not turn any more; exiting');
process.kill(process.pid, 'SIGKILL');
