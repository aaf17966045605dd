import { useSdk, useTexts } from '@cord/sdk';
import { overlaysMissing } from '@cord/ui';
import { Unplug } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { ReloadStrip } from './reload-strip';
import { APP_TEXTS } from './texts';

/**
 * A strip under the header while what menus, dialogs and popovers are made of did not come, as in a page that was open over a
 * release: what was pressed did not open, and this shows why. It goes when a later try succeeds.
 */
export function MissingOverlays() {
  const { report } = useSdk();
  const error = useSyncExternalStore(overlaysMissing.subscribe, overlaysMissing.read);
  useEffect(() => {
    if (error !== null) report(error, { part: 'overlays' });
  }, [error, report]);
  return <div role="alert">{error !== null && <MissingStrip />}</div>;
}

/** What it shows, and the way on. */
export function MissingStrip() {
  const t = useTexts(APP_TEXTS);
  return (
    <ReloadStrip icon={<Unplug size={16} aria-hidden="true" />} testId="missing-overlays">
      {t.missing}
    </ReloadStrip>
  );
}
