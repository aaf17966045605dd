import { useOnRecovery, useSdk, useTexts } from '@cord/sdk';
import { type ComponentType, type ReactNode, startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { TAB_TEXTS } from '../tabs/texts';

interface LaterBundleProps<P extends object> {
  /** Gives the component; the same function at each render. */
  load: () => Promise<ComponentType<P>>;
  /** What those who are told of its faults call it. */
  part: string;
  /** What the component is given. */
  with?: P;
  whileLoading?: ReactNode;
  whenFailed: (again: Again) => ReactNode;
}

/** The way on after a failed load: once more, and after the second failure the whole page anew, for what a new release took away. */
export interface Again {
  onRetry: () => void;
  retryText: string | undefined;
}

const FAILURES_BEFORE_RELOAD = 2;

/** What has come already is shown in the same render. */
const fetched = new WeakMap<() => Promise<unknown>, unknown>();

/** Fetches a bundle before it is wanted; a failure is told when it is. @returns whether it has come */
export function fetchAhead<P extends object>(load: () => Promise<ComponentType<P>>): Promise<boolean> {
  return load().then(
    (Component) => {
      fetched.set(load, Component);
      return true;
    },
    () => false,
  );
}

type State<P> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; Component: ComponentType<P> };

/** A part of the shell that comes in a file of its own. Unlike with React.lazy, a failed load can be tried again. */
export function LaterBundle<P extends object>({
  load,
  part,
  with: given,
  whileLoading = null,
  whenFailed,
}: LaterBundleProps<P>) {
  const t = useTexts(TAB_TEXTS);
  const { report } = useSdk();
  const failures = useRef(0);
  const [state, setState] = useState<State<P>>(() => {
    const Component = fetched.get(load) as ComponentType<P> | undefined;
    return Component === undefined ? { status: 'loading' } : { status: 'ready', Component };
  });
  const fetchBundle = useCallback(() => {
    setState({ status: 'loading' });
    load().then(
      (Component) => {
        fetched.set(load, Component);
        // A whole screen at a stroke would keep the page from answering meanwhile.
        startTransition(() => setState({ status: 'ready', Component }));
      },
      (error: unknown) => {
        failures.current += 1;
        report(error, { part });
        setState({ status: 'failed' });
      },
    );
  }, [load, part, report]);
  const { status } = state;
  const here = useRef(status);
  here.current = status;
  useEffect(() => {
    // A page that was kept is as it was left when it returns.
    if (here.current !== 'ready') fetchBundle();
  }, [fetchBundle]);
  useOnRecovery(fetchBundle, state.status === 'failed');

  if (state.status === 'ready') return <state.Component {...(given ?? ({} as P))} />;
  if (state.status === 'loading') return whileLoading;
  const reload = failures.current >= FAILURES_BEFORE_RELOAD;
  return whenFailed(
    reload ? { onRetry: () => location.reload(), retryText: t.reload } : { onRetry: fetchBundle, retryText: undefined },
  );
}
