import type { Checked, CheckInput } from './check';
import type { WorkerAnswer } from './check-worker';

/** Runs a check; the page answers all the while. @throws Error where the worker does not load or fails; the signal's reason when it is aborted */
export type RunCheck = (input: CheckInput, signal: AbortSignal) => Promise<Checked>;

/** Runs a check in a worker of its own, which ends with it. */
export const checkInWorker: RunCheck = (input, signal) =>
  new Promise<Checked>((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL('./check-worker', import.meta.url), { name: 'ledger-check' });
    const end = () => {
      signal.removeEventListener('abort', abort);
      worker.terminate();
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      end();
      if ('checked' in data) resolve(data.checked);
      else reject(new Error(data.failed));
    };
    worker.onerror = ({ message }) => {
      end();
      reject(new Error(message));
    };
    worker.postMessage(input);
  });
