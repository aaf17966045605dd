import { useTexts } from '@cord/sdk';
import { useState } from 'react';
import { SignOutDialog } from '../session/sign-out-dialog';
import { AccountActions } from './account-actions';
import { Appearance } from './appearance';
import { DataManagement } from './data-management';
import { MiningConfiguration } from './mining-configuration';
import { Profile } from './profile';
import { Security } from './security';
import s from './settings.module.css';
import { Support } from './support';
import { SETTINGS_TEXTS } from './texts';

/** Settings (spec part 2): profile, appearance, mining toggles, sign-in sessions, account actions. */
export function Settings() {
  const t = useTexts(SETTINGS_TEXTS);
  const [leaving, setLeaving] = useState(false);
  return (
    <div>
      <h1 className={s.title}>{t.title}</h1>
      <p className={s.intro}>{t.intro}</p>
      <Profile />
      <Appearance />
      <MiningConfiguration />
      <Security />
      <DataManagement />
      <Support />
      <AccountActions onSignOut={() => setLeaving(true)} />
      <SignOutDialog open={leaving} onOpenChange={setLeaving} />
    </div>
  );
}
