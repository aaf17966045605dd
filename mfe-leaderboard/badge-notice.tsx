import { useSession, useTabs } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { Medal } from 'lucide-react';
import { TEXTS } from './texts';

/** Whether the reader carries the badge; the way to buy it is on the dashboard, where the purchase lives. */
export function BadgeNotice() {
  const { user } = useSession();
  const { go } = useTabs();
  if (user === null) return null;
  const owned = user.hasbadgeofhonor;
  return (
    <Notice
      tone="honor"
      icon={<Medal />}
      title={owned ? TEXTS.badgeOwned : TEXTS.badgeNotOwned}
      action={owned ? undefined : <Button onClick={() => go('dashboard')}>{TEXTS.purchase}</Button>}
    >
      {owned ? TEXTS.badgeOwnedText : TEXTS.badgeNotOwnedText}
    </Notice>
  );
}
