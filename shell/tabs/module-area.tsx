import { useOnRecovery, useStore, useTabs } from '@cord/sdk';
import { Button, TabErrorPanel } from '@cord/ui';
import type { ModuleApp } from './module-app';
import type { ModuleTab } from './module-tabs';
import { PageSkeleton } from './page-skeleton';
import { TAB_LABELS } from './tab-state';

/** After this many failures in a row a reload of the page is what is left to try. */
const FAILURES_BEFORE_RELOAD = 2;

/** The place of a module's page: skeleton at once, then the page, or why it is not there. */
export function ModuleArea({ tab, app }: { tab: ModuleTab; app: ModuleApp }) {
  const state = useStore(app.state);
  const { go } = useTabs();
  useOnRecovery(app.retry, state.status === 'failed');
  const reload = state.status === 'failed' && state.failures >= FAILURES_BEFORE_RELOAD;
  return (
    <>
      {(state.status === 'loading' || state.status === 'idle') && <PageSkeleton label={TAB_LABELS[tab]} />}
      {state.status === 'failed' && (
        <TabErrorPanel
          title={`${TAB_LABELS[tab]} could not be loaded`}
          retryText={reload ? 'Reload' : 'Retry'}
          onRetry={reload ? () => location.reload() : app.retry}
          action={
            <Button variant="ghost" onClick={() => go('dashboard')}>
              Back to Dashboard
            </Button>
          }
        />
      )}
      <div ref={app.attach} hidden={state.status !== 'ready'} />
    </>
  );
}
