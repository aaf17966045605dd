import { type Checked, type CheckInput, checkLedger } from './check';
import { NOBLE } from './noble';

/** Response of a worker. */
export type WorkerAnswer = { checked: Checked } | { failed: string };

/** The used part of a worker's scope, which the page's types lack. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<CheckInput>) => void) | null;
  postMessage(answer: WorkerAnswer): void;
}

const scope = globalThis as unknown as WorkerScope;
scope.onmessage = ({ data }) =>
  void checkLedger(NOBLE, data).then(
    (checked) => scope.postMessage({ checked }),
    (error: unknown) => scope.postMessage({ failed: String(error) }),
  );
