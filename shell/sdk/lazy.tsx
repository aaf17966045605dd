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
  /** Loads it once for all callers. @throws the browser's error when the file does not load; the next call retries */
  load(): Promise<ComponentType<P>>;
  /** Loads it in advance and ignores errors, which `load` reports later. @returns whether it is loaded */
  preload(): Promise<boolean>;
  /** The component, or null before it is loaded. */
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

/** Failures before a reload is offered: a new release may have removed the file. */
const FAILURES_BEFORE_RELOAD = 2;

interface LazyProps<P extends object> extends FaultPlace {
  of: LazyFile<P>;
  /** Props of the component. */
  props?: P;
  /** Rendered until it is loaded. */
  loading?: ReactNode;
  /** Rendered when it does not load; when omitted, the surrounding boundary catches the error. */
  failed?: (again: Again) => ReactNode;
}

/** A component loaded when it is first shown; a loaded one renders at once. */
export function Lazy<P extends object>({ of, props, loading = null, failed, module, part }: LazyProps<P>) {
  const { report } = useSdk();
  const failures = useRef(0);
  const [error, setError] = useState<{ cause: unknown } | null>(null);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const reports = failed !== undefined;
  const load = useCallback(() => {
    setError(null);
    of.load().then(
      // A transition keeps the page responsive while a whole screen renders.
      () => startTransition(draw),
      (cause: unknown) => {
        failures.current += 1;
        if (reports) report(cause, { ...(module === undefined ? {} : { module }), part });
        setError({ cause });
      },
    );
  }, [of, module, part, report, reports]);
  const Component = of.loaded();
  // Whether this render lacked it. A kept page that returns runs the effect again with this value.
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
