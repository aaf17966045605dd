import { useOnRecovery } from '@cord/sdk';
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';

interface LaterBundleProps {
  /** Gives the component; the same function at each render. */
  load: () => Promise<ComponentType>;
  whileLoading?: ReactNode;
  whenFailed: (retry: () => void) => ReactNode;
}

type State = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; Component: ComponentType };

/** A part of the shell that comes in a file of its own. Unlike with React.lazy, a failed load can be tried again. */
export function LaterBundle({ load, whileLoading = null, whenFailed }: LaterBundleProps) {
  const [state, setState] = useState<State>({ status: 'loading' });
  const fetchBundle = useCallback(() => {
    setState({ status: 'loading' });
    load().then(
      (Component) => setState({ status: 'ready', Component }),
      () => setState({ status: 'failed' }),
    );
  }, [load]);
  useEffect(fetchBundle, [fetchBundle]);
  useOnRecovery(fetchBundle, state.status === 'failed');

  if (state.status === 'ready') return <state.Component />;
  return state.status === 'failed' ? whenFailed(fetchBundle) : whileLoading;
}
