import { type Again, useTexts } from '@cord/sdk';
import { TabErrorPanel } from '@cord/ui';
import s from './start-failed.module.css';
import { APP_TEXTS } from './texts';

/** Shown when the session could not be read or the app did not load. */
export function StartFailed(again: Pick<Again, 'onRetry'> & Partial<Again>) {
  const t = useTexts(APP_TEXTS);
  return (
    <main className={s.place}>
      <TabErrorPanel title={t.startFailed} {...again} />
    </main>
  );
}
