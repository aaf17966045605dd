import { useSdk, useTexts } from '@cord/sdk';
import { Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePublished } from '../federation/registry-context';
import { ReloadStrip } from './reload-strip';
import { SHELL_VERSION } from './shell-version';
import { APP_TEXTS } from './texts';

/**
 * Offers a reload when another build of the shell is published: from the next change of tab on, until it is done or that build is taken
 * back. It does nothing by itself, so that nothing that was typed goes.
 * @param running the version of this page
 */
export function ReloadNotice({ running = SHELL_VERSION }: { running?: string }) {
  const t = useTexts(APP_TEXTS);
  const { current } = useSdk().tabs;
  const { shell } = usePublished();
  const isOld = shell !== null && shell !== running;
  const [offered, setOffered] = useState(false);
  useEffect(() => {
    setOffered(false);
    return isOld ? current.listen(() => setOffered(true)) : undefined;
  }, [isOld, current]);
  return (
    <div role="status">
      {isOld && offered && (
        <ReloadStrip icon={<Sparkles size={16} aria-hidden="true" />} testId="reload-notice">
          {t.newShell}
        </ReloadStrip>
      )}
    </div>
  );
}
