import { useSdk, useTexts } from '@cord/sdk';
import { overlaysMissing } from '@cord/ui';
import { Unplug } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { ReloadStrip } from './reload-strip';
import { APP_TEXTS } from './texts';

/**
 * A strip under the header while the code of menus, dialogs and popovers cannot be loaded, for example after a
 * release. It explains why nothing opened, and disappears when a later load succeeds.
 */
export function MissingOverlays() {
  const { report } = useSdk();
  const error = useSyncExternalStore(overlaysMissing.subscribe, overlaysMissing.read);
  useEffect(() => {
    if (error !== null) report(error, { part: 'overlays' });
  }, [error, report]);
  return <div role="alert">{error !== null && <MissingStrip />}</div>;
}

/** Message and reload button of the strip. */
export function MissingStrip() {
  const t = useTexts(APP_TEXTS);
  return (
    <ReloadStrip icon={<Unplug size={16} aria-hidden="true" />} testId="missing-overlays">
      {t.missing}
    </ReloadStrip>
  );
}
