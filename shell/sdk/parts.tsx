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

/** A part that a module lends to the shell and to other modules' pages: `wallet/badge-card` is `badge-card` of mfe_wallet. */
export type PartName = `${string}/${string}`;

/** What every part takes. */
export interface PartProps {
  /** Room the place has: `compact` for a line of text or a header under 1200 px, where the part differs at all. */
  size?: 'full' | 'compact';
  /** At `dashboard.away`: the absence that is over. */
  away?: Away;
  /** At `ledger.<source>`: the entry whose title is to be shown; at `ledger.hour` the one whose hour is to be explained, with its time. */
  entry?: { readonly id: string; readonly reason: string; readonly at?: string };
}

/** What `./parts` of a module exports as `parts`: what its package.json names. One in a file of its own is fetched with its first place. */
export type Parts = Readonly<Record<string, ComponentType<PartProps> | LazyFile<PartProps>>>;

/** How the shell finds parts and what it shows in the place of one that is not there. */
export interface PartsHost {
  /** Loads a part; rejects with a typed load error. `fresh` reads the registry again after a failure. */
  load(name: PartName, options: { fresh: boolean }): Promise<ComponentType<PartProps>>;
  /** Which build a part comes from; another one after a change of tab: then it is loaded anew, with all else of its module. */
  releaseOf(name: PartName): string | null;
  /** Finds the action that a module has for a place; rejects where there is none, and with a typed load error where the module does not come. */
  action(place: ActionPlace): Promise<Action>;
  Skeleton: ComponentType<{ name: PartName }>;
  Failed: ComponentType<{ name: PartName } & Again>;
}

type Loading =
  | { status: 'loading' }
  /** `made` is another one for each load. */
  | { status: 'ready'; made: number; Component: ComponentType<PartProps> }
  | { status: 'failed' };

interface PartOf extends PartProps {
  name: PartName;
  /** What stands here while it loads and where it failed; by default room for it, and a message with Retry where it has a card. */
  instead?: ReactNode;
}

/** Another module's component in this place: skeleton at once, own error boundary, Retry that loads anew. */
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

/** Where its errors are reported. */
function placeOf(name: PartName): FaultPlace {
  return { module: `mfe_${name.split('/')[0]}`, part: name };
}

/** Which try at loading it is that a part came from, and which build. */
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
    // A page that was kept is as it was left when it returns, unless its module was published meanwhile.
    if (from?.attempt === attempt && from.release === host.releaseOf(name)) return;
    let current = true;
    // What another build is to replace stays until that one has come.
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

/** Another value at each change of tab, for what stands outside of every page; what stands in one learns of a visit as its effects begin anew. */
function useVisit(): TabId | null {
  const { current } = useSdk().tabs;
  const inPage = usePageTab() !== null;
  return useSyncExternalStore(current.listen, () => (inPage ? null : current.get()));
}
