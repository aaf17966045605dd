import { type TabView, useTexts } from '@cord/sdk';
import { Link } from '@cord/ui';
import { createContext, type MouseEvent, useContext } from 'react';
import { TEXTS } from './texts';

/** Opens the full view; without a provider (a card alone) there is no link. */
const StreakView = createContext<Pick<TabView, 'value' | 'open' | 'hrefOf'> | null>(null);
export const StreakLinkProvider = StreakView.Provider;

/** Whether the full view is open over the page; then it has the names that tests look for. */
export function useStreakOpen(): boolean {
  return useContext(StreakView)?.value === 'streak';
}

/** Opens the streak's full view; any but a plain click opens its address. */
export function StreakLink({ className }: { className?: string | undefined }) {
  const t = useTexts(TEXTS);
  const view = useContext(StreakView);
  if (view === null) return null;
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    view.open('streak');
  };
  return (
    <Link href={view.hrefOf('streak')} className={className} onClick={follow}>
      {t.openStreak}
    </Link>
  );
}
