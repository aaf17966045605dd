import { AreaBoundary, useOnRecovery, useSdk, useStore, useTabs, useTexts } from '@cord/sdk';
import { Button, TabErrorPanel } from '@cord/ui';
import { useEffect } from 'react';
import { KeptPage } from './kept-page';
import type { ModuleApp } from './module-app';
import { PageSkeleton } from './page-skeleton';
import { useTabName } from './tab-list';
import { TAB_TEXTS } from './texts';
import { pageSwitch } from './the-page-switch';

/** The module pages: the current tab's and the kept ones. It includes single-spa, which the dashboard does not need. */
export function ModulePages() {
  const apps = useStore(pageSwitch().apps);
  return apps.map((app) => <ModulePage key={app.tab} app={app} />);
}

/** Registers the modules' pages before the first one is shown. */
export function readyModulePages(): void {
  pageSwitch();
}

/** Number of consecutive failures after which only a reload is left. */
const FAILURES_BEFORE_RELOAD = 2;

export type ShownApp = Pick<ModuleApp, 'tab' | 'state' | 'retry' | 'rendered' | 'threw'>;

/** A module's page: skeleton, page or error while its tab is current; kept afterwards. */
export function ModulePage({ app }: { app: ShownApp }) {
  const { current } = useTabs();
  const state = useStore(app.state);
  const name = useTabName(app.tab);
  const onTab = current === app.tab;
  if ('page' in state)
    return (
      <KeptPage key={state.release} tab={app.tab} onScreen={onTab && state.status === 'shown'}>
        <AreaBoundary onError={app.threw}>
          {state.page}
          <Rendered onRendered={app.rendered} />
        </AreaBoundary>
      </KeptPage>
    );
  if (!onTab) return null;
  if (state.status === 'loading') return <PageSkeleton label={name} />;
  return state.status === 'failed' && <Failed name={name} {...state} retry={app.retry} />;
}

/** Its effect runs once its sibling has rendered without an error. */
function Rendered({ onRendered }: { onRendered: () => void }) {
  useEffect(onRendered, [onRendered]);
  return null;
}

type FailedProps = { name: string; retry: () => void } & Extract<
  ReturnType<ModuleApp['state']['get']>,
  { status: 'failed' }
>;

function Failed({ name, failure, failures, retry }: FailedProps) {
  const t = useTexts(TAB_TEXTS);
  const { go } = useSdk().tabs;
  useOnRecovery(retry, true);
  const off = failure === 'off';
  return (
    <TabErrorPanel
      title={off ? t.off({ tab: name }) : t.failed({ tab: name })}
      reload={failures >= FAILURES_BEFORE_RELOAD}
      onRetry={retry}
      action={
        <Button variant="ghost" onClick={() => go('dashboard')}>
          {t.back}
        </Button>
      }
    >
      {off ? t.offWhy : failure === 'incompatible' ? t.incompatible : undefined}
    </TabErrorPanel>
  );
}
