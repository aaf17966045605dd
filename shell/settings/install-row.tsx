import { useMediaQuery, useStore, useTexts } from '@cord/sdk';
import { Button, SettingRow } from '@cord/ui';
import { useEffect } from 'react';
import { install, installOffer, listenToInstallOffers } from '../offline/install';
import { INSTALL_TEXTS } from './install-texts';

/** Installs the app where the browser offers it, and shows how where only the user can; without either there is nothing to show. */
export function InstallRow() {
  useEffect(listenToInstallOffers, []);
  const t = useTexts(INSTALL_TEXTS);
  const offered = useStore(installOffer) !== null;
  const installed = useMediaQuery('(display-mode: standalone)');
  if (installed) return <SettingRow title={t.title} help={t.installed} />;
  if (offered) {
    return (
      <SettingRow title={t.title} help={t.offered}>
        <Button size="sm" onClick={() => void install()} data-testid="install">
          {t.install}
        </Button>
      </SettingRow>
    );
  }
  return isByHand() ? <SettingRow title={t.title} help={t.byHand} /> : null;
}

/** Safari of iOS installs only by the user's own hand; it alone shows of a page whether it was. */
function isByHand(): boolean {
  return 'standalone' in navigator;
}
