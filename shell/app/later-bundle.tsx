import { useOnRecovery } from '@cord/sdk';
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';

interface LaterBundleProps<P extends object> {
  /** Gives the component; the same function at each render. */
  load: () => Promise<ComponentType<P>>;
  /** What the component is given. */
  with?: P;
  whileLoading?: ReactNode;
  whenFailed: (retry: () => void) => ReactNode;
}

type State<P> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; Component: ComponentType<P> };

/** A part of the shell that comes in a file of its own. Unlike with React.lazy, a failed load can be tried again. */
export function LaterBundle<P extends object>({
  load,
  with: given,
  whileLoading = null,
  whenFailed,
}: LaterBundleProps<P>) {
  const [state, setState] = useState<State<P>>({ status: 'loading' });
  const fetchBundle = useCallback(() => {
    setState({ status: 'loading' });
    load().then(
      (Component) => setState({ status: 'ready', Component }),
      () => setState({ status: 'failed' }),
    );
  }, [load]);
  useEffect(fetchBundle, [fetchBundle]);
  useOnRecovery(fetchBundle, state.status === 'failed');

  if (state.status === 'ready') return <state.Component {...(given ?? ({} as P))} />;
  return state.status === 'failed' ? whenFailed(fetchBundle) : whileLoading;
}
