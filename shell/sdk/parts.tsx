import { type ComponentType, startTransition, useCallback, useEffect, useRef, useState } from 'react';
import type { Action, ActionName } from './actions';
import { AreaBoundary } from './area-boundary';
import { useOnRecovery } from './connection';
import type { FaultPlace, Report } from './report';
import { useSdk } from './sdk';

/** The parts that modules lend to the shell and to each other's pages (design.md, The house). */
export const PART_NAMES = [
  'mining/background',
  'mining/node-card',
  'tasks/tasks-card',
  'tasks/checkin-button',
  'referrals/referral-panel',
  'wallet/wallet-button',
  'wallet/badge-card',
  'wallet/purchase-button',
  'wallet/claim-banner',
] as const;
export type PartName = (typeof PART_NAMES)[number];

/** What every part takes. */
export interface PartProps {
  /** Room the place has: `compact` for a line of text or a header under 1200 px, where the part differs at all. */
  size?: 'full' | 'compact';
}

type ModuleOf<N extends string> = N extends `${infer M}/${string}` ? M : never;
type PartIn<N extends string, M extends string> = N extends `${M}/${infer P}` ? P : never;
export type PartModule = ModuleOf<PartName>;

/** What `./parts` of a module exports as `parts`, checked with `satisfies PartsOf<'mining'>`. */
export type PartsOf<M extends PartModule> = Record<PartIn<PartName, M>, ComponentType<PartProps>>;

/** How the shell finds parts and what it shows in the place of one that is not there. */
export interface PartsHost {
  /** Loads `./parts` of a module; rejects with a typed load error. `fresh` asks the registry again after a failure. */
  load(module: PartModule, options: { fresh: boolean }): Promise<Record<string, ComponentType<PartProps>>>;
  /** Finds an action of a module; rejects with a typed load error where the module does not come. */
  action(name: ActionName): Promise<Action>;
  Skeleton: ComponentType<{ name: PartName }>;
  /** `again`: it failed once more after a retry, and a reload is what is left to try. */
  Failed: ComponentType<{ name: PartName; error: unknown; retry: () => void; again: boolean }>;
}

type Loading =
  | { status: 'loading' }
  | { status: 'ready'; Component: ComponentType<PartProps> }
  | { status: 'failed'; error: unknown };

/** Another module's component in this place: skeleton at once, own error boundary, Retry that loads anew. */
export function Part({ name, ...props }: { name: PartName } & PartProps) {
  const { parts, report } = useSdk();
  const [attempt, setAttempt] = useState(0);
  const loading = usePart(parts, report, name, attempt);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  useOnRecovery(retry, loading.status === 'failed');

  if (loading.status === 'loading') return <parts.Skeleton name={name} />;
  const failed = (error: unknown) => <parts.Failed name={name} error={error} retry={retry} again={attempt > 0} />;
  if (loading.status === 'failed') return failed(loading.error);
  return (
    <AreaBoundary key={attempt} place={placeOf(name)} fallback={failed}>
      <loading.Component {...props} />
    </AreaBoundary>
  );
}

/** For those who are told of its faults. */
function placeOf(name: PartName): FaultPlace {
  return { module: `mfe_${name.split('/')[0]}`, part: name };
}

function usePart(host: PartsHost, report: Report, name: PartName, attempt: number): Loading {
  const [loading, setLoading] = useState<Loading>({ status: 'loading' });
  const here = useRef<number | null>(null);
  useEffect(() => {
    // A page that was kept is as it was left when it returns.
    if (here.current === attempt) return;
    let current = true;
    const [module, part] = name.split('/') as [PartModule, string];
    setLoading({ status: 'loading' });
    host
      .load(module, { fresh: attempt > 0 })
      .then((found) => {
        const Component = found[part];
        if (Component === undefined) throw new Error(`Module ${module} has no part ${part}`);
        if (!current) return;
        here.current = attempt;
        startTransition(() => setLoading({ status: 'ready', Component }));
      })
      .catch((error: unknown) => {
        if (!current) return;
        report(error, placeOf(name));
        setLoading({ status: 'failed', error });
      });
    return () => {
      current = false;
    };
  }, [host, report, name, attempt]);
  return loading;
}
