import { useIsPast, useSdk, useStore, useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { usePublished } from '../federation/registry-context';
import { ReloadStrip } from './reload-strip';
import { SHELL_VERSION } from './shell-version';
import { APP_TEXTS } from './texts';

/** For how long "Later" is heeded, ms. */
const LATER_MS = 3_600_000;

/**
 * Offers a reload once another build of the shell is published, until it is done, put off or that build is taken back. While the server is out of
 * reach its strip takes this one's place. It does nothing by itself, and what was typed is there again after it (`useDraft` of the sdk).
 * @param running the version of this page
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
