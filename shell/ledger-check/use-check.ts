import { useSdk, useUserId } from '@cord/sdk';
import { useEffect, useRef, useState } from 'react';
import { isFirstDay } from './no-root';
import { type CheckEnd, type CheckEngine, runCheck } from './run-check';

export type CheckState =
  | { kind: 'idle' }
  | { kind: 'checking'; step: 1 | 2 }
  | { kind: 'first-day' }
  | { kind: 'lost' }
  | { kind: 'done'; end: CheckEnd };

/** A check of the whole ledger, begun and given up by the user; leaving the page gives it up too. */
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
      show({ kind: 'done', end });
    } catch (error) {
      show({ kind: isFirstDay(error) ? 'first-day' : 'lost' });
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
