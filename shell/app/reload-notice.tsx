import { useIsPast, useSdk, useStore, useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { usePublished } from '../federation/registry-context';
import { ReloadStrip } from './reload-strip';
import { SHELL_VERSION } from './shell-version';
import { APP_TEXTS } from './texts';

/** How long "Later" hides the notice, ms. */
const LATER_MS = 3_600_000;

/**
 * Offers a reload when another build of the shell is published, until the user reloads or defers it, or that build is withdrawn. The
 * offline strip replaces it while the server is unreachable. Nothing reloads by itself; drafts survive (`useDraft` of the sdk).
 * @param running version of this page
 */
export function ReloadNotice({ running = SHELL_VERSION }: { running?: string }) {
  const t = useTexts(APP_TEXTS);
  const { clock, connection } = useSdk();
  const { shell } = usePublished();
  const isOld = shell !== null && shell !== running;
  const online = useStore(connection.lostAtMs) === null;
  const [restsUntil, setRestsUntil] = useState<string | null>(null);
  const rested = useIsPast(restsUntil);
  const later = (
    <Button size="sm" onClick={() => setRestsUntil(new Date(clock.now() + LATER_MS).toISOString())}>
      {t.later}
    </Button>
  );
  return (
    <div role="status">
      {isOld && online && (restsUntil === null || rested) && (
        <ReloadStrip icon={<RefreshCw size={16} />} testId="reload-notice" tone="news" beside={later}>
          <strong>{t.newShell}</strong> {t.newShellMore}
        </ReloadStrip>
      )}
    </div>
  );
}
