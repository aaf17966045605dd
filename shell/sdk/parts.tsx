import { type ComponentType, startTransition, useCallback, useEffect, useState } from 'react';
import { AreaBoundary } from './area-boundary';
import { useOnRecovery } from './connection';
import { useSdk } from './sdk';

/** The parts that modules lend to the shell and to each other's pages (design.md, The house). */
export const PART_NAMES = [
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
  Skeleton: ComponentType<{ name: PartName }>;
  Failed: ComponentType<{ name: PartName; error: unknown; retry: () => void }>;
}

type Loading =
  | { status: 'loading' }
  | { status: 'ready'; Component: ComponentType<PartProps> }
  | { status: 'failed'; error: unknown };

/** Another module's component in this place: skeleton at once, own error boundary, Retry that loads anew. */
export function Part({ name, ...props }: { name: PartName } & PartProps) {
  const { parts } = useSdk();
  const [attempt, setAttempt] = useState(0);
  const loading = usePart(parts, name, attempt);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  useOnRecovery(retry, loading.status === 'failed');

  if (loading.status === 'loading') return <parts.Skeleton name={name} />;
  if (loading.status === 'failed') return <parts.Failed name={name} error={loading.error} retry={retry} />;
  return (
    <AreaBoundary key={attempt} fallback={(error) => <parts.Failed name={name} error={error} retry={retry} />}>
      <loading.Component {...props} />
    </AreaBoundary>
  );
}

function usePart(host: PartsHost, name: PartName, attempt: number): Loading {
  const [loading, setLoading] = useState<Loading>({ status: 'loading' });
  useEffect(() => {
    let current = true;
    const [module, part] = name.split('/') as [PartModule, string];
    setLoading((before) => (before.status === 'ready' && attempt === 0 ? before : { status: 'loading' }));
    host
      .load(module, { fresh: attempt > 0 })
      .then((found) => {
        const Component = found[part];
        if (Component === undefined) throw new Error(`Module ${module} has no part ${part}`);
        if (current) startTransition(() => setLoading({ status: 'ready', Component }));
      })
      .catch((error: unknown) => {
        if (current) setLoading({ status: 'failed', error });
      });
    return () => {
      current = false;
    };
  }, [host, name, attempt]);
  return loading;
}
