import { TabErrorPanel } from '@cord/ui';
import s from './start-failed.module.css';

/** The server did not say who is signed in, or the app itself did not load. */
export function StartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <main className={s.place}>
      <TabErrorPanel title="CORD could not be loaded" onRetry={onRetry} />
    </main>
  );
}
