import { useSession, useTabs, useTexts } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { Medal } from 'lucide-react';
import { TEXTS } from './texts';

/** Whether the reader carries the badge; the way to buy it is on the dashboard, where the purchase lives. */
export function BadgeNotice() {
  const t = useTexts(TEXTS);
  const { user } = useSession();
  const { go } = useTabs();
  if (user === null) return null;
  const owned = user.hasbadgeofhonor;
  return (
    <Notice
      tone="honor"
      icon={<Medal />}
      title={owned ? t.badgeOwned : t.badgeNotOwned}
      action={owned ? undefined : <Button onClick={() => go('dashboard')}>{t.purchase}</Button>}
    >
      {owned ? t.badgeOwnedText : t.badgeNotOwnedText}
    </Notice>
  );
}
