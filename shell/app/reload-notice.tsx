import { useSdk, useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { usePublished } from '../federation/registry-context';
import { ReloadStrip } from './reload-strip';
import { SHELL_VERSION } from './shell-version';
import { APP_TEXTS } from './texts';

/** For how long "Later" is heeded, ms. */
const LATER_MS = 3_600_000;

/**
 * Offers a reload when another build of the shell is published: from the next change of tab on, until it is done, put off or that build is
 * taken back. It does nothing by itself, and what was typed is there again after it (`useDraft` of the sdk).
 * @param running the version of this page
 */
export function ReloadNotice({ running = SHELL_VERSION }: { running?: string }) {
  const t = useTexts(APP_TEXTS);
  const { current } = useSdk().tabs;
  const { shell } = usePublished();
  const isOld = shell !== null && shell !== running;
  const [offered, setOffered] = useState(false);
  const restsUntilMs = useRef(0);
  useEffect(() => {
    setOffered(false);
    return isOld ? current.listen(() => setOffered(performance.now() >= restsUntilMs.current)) : undefined;
  }, [isOld, current]);
  const putOff = () => {
    restsUntilMs.current = performance.now() + LATER_MS;
    setOffered(false);
  };
  const later = (
    <Button size="sm" onClick={putOff}>
      {t.later}
    </Button>
  );
  return (
    <div role="status">
      {isOld && offered && (
        <ReloadStrip
          icon={<RefreshCw size={16} aria-hidden="true" />}
          testId="reload-notice"
          tone="news"
          beside={later}
        >
          <strong>{t.newShell}</strong> {t.newShellMore}
        </ReloadStrip>
      )}
    </div>
  );
}
