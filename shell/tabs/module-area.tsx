import { useOnRecovery, useStore, useTabs, useTexts } from '@cord/sdk';
import { Button, TabErrorPanel } from '@cord/ui';
import type { ModuleApp } from './module-app';
import { PageSkeleton } from './page-skeleton';
import { TAB_TEXTS } from './texts';

/** After this many failures in a row a reload of the page is what is left to try. */
const FAILURES_BEFORE_RELOAD = 2;

interface ModuleAreaProps {
  /** What the tab is called. */
  name: string;
  app: Pick<ModuleApp, 'state' | 'attach' | 'retry'>;
}

/** The place of a module's page: a skeleton while its code is on the way, then the page, or why it is not there. */
export function ModuleArea({ name, app }: ModuleAreaProps) {
  const t = useTexts(TAB_TEXTS);
  const state = useStore(app.state);
  const { go } = useTabs();
  useOnRecovery(app.retry, state.status === 'failed');
  const off = state.status === 'failed' && state.failure === 'off';
  const reload = state.status === 'failed' && state.failures >= FAILURES_BEFORE_RELOAD;
  const why = { incompatible: t.incompatible, off: t.offWhy };
  return (
    <>
      {state.status === 'loading' && <PageSkeleton label={name} />}
      {state.status === 'failed' && (
        <TabErrorPanel
          title={off ? t.off({ tab: name }) : t.failed({ tab: name })}
          reload={reload}
          onRetry={app.retry}
          action={
            <Button variant="ghost" onClick={() => go('dashboard')}>
              {t.back}
            </Button>
          }
        >
          {state.failure === 'incompatible' || state.failure === 'off' ? why[state.failure] : undefined}
        </TabErrorPanel>
      )}
      <div ref={app.attach} hidden={state.status === 'loading' || state.status === 'failed'} />
    </>
  );
}
