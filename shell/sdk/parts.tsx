import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Action, ActionPlace } from './actions';
import { type Again, AreaBoundary } from './area-boundary';
import type { Away } from './away';
import { useOnRecovery } from './connection';
import type { LazyFile } from './lazy';
import { usePageTab } from './page-place';
import type { FaultPlace, Report } from './report';
import { useSdk } from './sdk';
import type { TabId } from './tabs';

/** A module's part for the shell and other modules' pages: `wallet/badge-card` is `badge-card` of mfe_wallet. */
export type PartName = `${string}/${string}`;

/** Props of every part. */
export interface PartProps {
  /** Size of the place: `compact` for a line of text or a header under 1200 px, if the part distinguishes it. */
  size?: 'full' | 'compact';
  /** For `dashboard.away`: the finished absence. */
  away?: Away;
  /** For `ledger.<source>`: the entry whose title is shown; for `ledger.hour`: the entry whose hour is explained, with its time. */
  entry?: { readonly id: string; readonly reason: string; readonly at?: string };
}

/** Exported by `./parts` of a module as `parts`, under the names in its package.json. A lazy part loads at its first place. */
export type Parts = Readonly<Record<string, ComponentType<PartProps> | LazyFile<PartProps>>>;

/** Finds parts, and renders the placeholders of loading and failed ones. */
export interface PartsHost {
  /** Loads a part; rejects with a typed load error. `fresh` reads the registry again after a failure. */
  load(name: PartName, options: { fresh: boolean }): Promise<ComponentType<PartProps>>;
  /** Returns the build of a part. A tab change may select another build; the whole module then loads again. */
  releaseOf(name: PartName): string | null;
  /** Finds a module's action for a place; rejects when there is none, or with a typed load error. */
  action(place: ActionPlace): Promise<Action>;
  Skeleton: ComponentType<{ name: PartName }>;
  Failed: ComponentType<{ name: PartName } & Again>;
}

type Loading =
  | { status: 'loading' }
  /** `made` differs for each load. */
  | { status: 'ready'; made: number; Component: ComponentType<PartProps> }
  | { status: 'failed' };

interface PartOf extends PartProps {
  name: PartName;
  /** Rendered while it loads or after it failed; by default a skeleton, and for a card a message with Retry. */
  instead?: ReactNode;
}

/** Renders another module's component: skeleton, error boundary, and Retry that loads it again. */
export function Part({ name, instead, ...props }: PartOf) {
  const { parts, report } = useSdk();
  const [attempt, setAttempt] = useState(0);
  const loading = usePart(parts, report, name, attempt);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  useOnRecovery(retry, loading.status === 'failed');

  if (loading.status === 'loading') return instead ?? <parts.Skeleton name={name} />;
  const failed = () => instead ?? <parts.Failed name={name} onRetry={retry} reload={attempt > 0} />;
  if (loading.status === 'failed') return failed();
  return (
    <AreaBoundary key={loading.made} place={placeOf(name)} fallback={failed}>
      <loading.Component {...props} />
    </AreaBoundary>
  );
}

/** Place of its errors in reports. */
function placeOf(name: PartName): FaultPlace {
  return { module: `mfe_${name.split('/')[0]}`, part: name };
}

/** The attempt and the build that a part was loaded from. */
interface Origin {
  attempt: number;
  release: string | null;
}

function usePart(host: PartsHost, report: Report, name: PartName, attempt: number): Loading {
  const [loading, setLoading] = useState<Loading>({ status: 'loading' });
  const here = useRef<Origin | null>(null);
  const made = useRef(0);
  const visit = useVisit();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit of a tab looks whether another build is to be shown
  useEffect(() => {
    const from = here.current;
    // A kept page returns unchanged, unless its module was published meanwhile.
    if (from?.attempt === attempt && from.release === host.releaseOf(name)) return;
    let current = true;
    // The old build stays until the new one is loaded.
    if (from?.attempt !== attempt) setLoading({ status: 'loading' });
    host
      .load(name, { fresh: attempt > 0 })
      .then((Component) => {
        if (!current) return;
        here.current = { attempt, release: host.releaseOf(name) };
        made.current += 1;
        const ready: Loading = { status: 'ready', made: made.current, Component };
        startTransition(() => setLoading(ready));
      })
      .catch((error: unknown) => {
        if (!current) return;
        report(error, placeOf(name));
        if (from?.attempt !== attempt) setLoading({ status: 'failed' });
      });
    return () => {
      current = false;
    };
  }, [host, report, name, attempt, visit]);
  return loading;
}

/** Returns a new value on each tab change, outside of pages. Within a page, its effects restart on each visit instead. */
function useVisit(): TabId | null {
  const { current } = useSdk().tabs;
  const inPage = usePageTab() !== null;
  return useSyncExternalStore(current.listen, () => (inPage ? null : current.get()));
}
