import { useSdk, useUserId } from '@cord/sdk';
import { useEffect, useRef, useState } from 'react';
import { type CheckEnd, type CheckEngine, type NoRoot, runCheck } from './run-check';

export type CheckState =
  | { kind: 'idle' }
  | { kind: 'checking'; step: 1 | 2 }
  | { kind: 'no-root'; end: NoRoot }
  | { kind: 'lost' }
  | { kind: 'done'; end: CheckEnd };

/** A full check of the ledger, started and cancelled by the user; leaving the page cancels it, too. */
export function useCheck(engine: CheckEngine): { state: CheckState; start(): void; cancel(): void } {
  const sdk = useSdk();
  const account = useUserId() ?? '';
  const [state, setState] = useState<CheckState>({ kind: 'idle' });
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  async function check(): Promise<void> {
    underWay.current?.abort();
    const own = new AbortController();
    underWay.current = own;
    const show = (next: CheckState) => {
      if (!own.signal.aborted) setState(next);
    };
    show({ kind: 'checking', step: 1 });
    try {
      const onRead = () => show({ kind: 'checking', step: 2 });
      const end = await runCheck(sdk, account, { ...engine, isPart: false, signal: own.signal, onRead });
      show('noRoot' in end ? { kind: 'no-root', end } : { kind: 'done', end });
    } catch {
      show({ kind: 'lost' });
    }
  }

  return {
    state,
    start: () => void check(),
    cancel() {
      underWay.current?.abort();
      setState({ kind: 'idle' });
    },
  };
}
