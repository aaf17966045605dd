import { type Checked, type CheckInput, checkLedger } from './check';
import { NOBLE } from './noble';

/** What a worker answers. */
export type WorkerAnswer = { checked: Checked } | { failed: string };

/** The part of a worker's scope that is used here; the types of the page do not have it. */
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
