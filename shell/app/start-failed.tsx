import { useTexts } from '@cord/sdk';
import { TabErrorPanel } from '@cord/ui';
import s from './start-failed.module.css';
import { APP_TEXTS } from './texts';

/** The server did not say who is signed in, or the app itself did not load. */
export function StartFailed({ onRetry, reload = false }: { onRetry: () => void; reload?: boolean }) {
  const t = useTexts(APP_TEXTS);
  return (
    <main className={s.place}>
      <TabErrorPanel title={t.startFailed} onRetry={onRetry} reload={reload} />
    </main>
  );
}
