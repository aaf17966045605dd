import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { Again } from './area-boundary';
import { useOnRecovery } from './connection';
import type { FaultPlace } from './report';
import { useSdk } from './sdk';

/** A component in a file of its own. */
export interface LazyFile<P extends object = object> {
  /** Fetches it, once for all who wait. @throws what the browser reports where the file does not come; the next call requests it again */
  load(): Promise<ComponentType<P>>;
  /** Fetches it before it is wanted; a failure shows when it is. @returns whether it has come */
  preload(): Promise<boolean>;
  /** The component once it has come. */
  loaded(): ComponentType<P> | null;
}

/** @param fetch `() => import('./settings').then(({ Settings }) => Settings)` */
export function lazyFile<P extends object = object>(fetch: () => Promise<ComponentType<P>>): LazyFile<P> {
  let component: ComponentType<P> | null = null;
  let loading: Promise<ComponentType<P>> | null = null;
  const load = () => {
    loading ??= fetch().then(
      (come) => {
        component = come;
        return come;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  return {
    load,
    loaded: () => component,
    preload: () =>
      load().then(
        () => true,
        () => false,
      ),
  };
}

/** After a second failure a new release may have taken the file away. */
const FAILURES_BEFORE_RELOAD = 2;

interface LazyProps<P extends object> extends FaultPlace {
  of: LazyFile<P>;
  /** What the component is given. */
  props?: P;
  /** What stands in its place until it has come. */
  loading?: ReactNode;
  /** What stands there where it does not come; left out, the boundary around it catches the error. */
  failed?: (again: Again) => ReactNode;
}

/** A component whose code comes when it is first shown; what has come before is shown in the same render. */
export function Lazy<P extends object>({ of, props, loading = null, failed, module, part }: LazyProps<P>) {
  const { report } = useSdk();
  const failures = useRef(0);
  const [error, setError] = useState<{ cause: unknown } | null>(null);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const reports = failed !== undefined;
  const load = useCallback(() => {
    setError(null);
    of.load().then(
      // A whole screen at a stroke would keep the page from answering meanwhile.
      () => startTransition(draw),
      (cause: unknown) => {
        failures.current += 1;
        if (reports) report(cause, { ...(module === undefined ? {} : { module }), part });
        setError({ cause });
      },
    );
  }, [of, module, part, report, reports]);
  const Component = of.loaded();
  // What this render lacked, whether or not it has come since. A page that was kept is as it was left when it returns.
  const lacking = Component === null;
  useEffect(() => {
    if (lacking) load();
  }, [lacking, load]);
  useOnRecovery(load, error !== null);

  if (Component !== null) return <Component {...(props ?? ({} as P))} />;
  if (error === null) return loading;
  if (failed === undefined) throw error.cause;
  return failed({ onRetry: load, reload: failures.current >= FAILURES_BEFORE_RELOAD });
}
