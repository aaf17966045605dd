import { useTexts } from '@cord/sdk';
import { Badge, Spinner } from '@cord/ui';
import { useIsMutating } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Area, OverlayArea } from '../app/area';
import { Place } from '../parts/place';
import { SignOutDialog } from '../session/sign-out-dialog';
import { AccountActions } from './account-actions';
import { Appearance } from './appearance';
import { DataManagement } from './data-management';
import { DATA_TEXTS } from './data-texts';
import { Language } from './language';
import { LANGUAGE_TEXTS } from './language-texts';
import { MiningConfiguration } from './mining-configuration';
import { NoticeChoices } from './notice-choices';
import { NOTICE_CHOICE_TEXTS } from './notice-texts';
import { Profile } from './profile';
import { Security } from './security';
import s from './settings.module.css';
import { Support } from './support';
import { SUPPORT_TEXTS } from './support-texts';
import { SETTINGS_TEXTS } from './texts';
import { SAVING } from './use-save-settings';

/** Settings (spec part 2): profile, appearance, mining toggles, sign-in sessions, account actions. */
export function Settings() {
  const t = useTexts(SETTINGS_TEXTS);
  const data = useTexts(DATA_TEXTS);
  const support = useTexts(SUPPORT_TEXTS);
  const notices = useTexts(NOTICE_CHOICE_TEXTS);
  const language = useTexts(LANGUAGE_TEXTS);
  const [leaving, setLeaving] = useState(false);
  return (
    <div>
      <header className={s.head}>
        <div>
          <h1 className={s.title}>{t.title}</h1>
          <p className={s.intro}>{t.intro}</p>
        </div>
        <Saved />
      </header>
      <Area card part="settings/profile" name={t.profile}>
        <Profile />
      </Area>
      <Area card part="settings/appearance" name={t.appearance}>
        <Appearance />
      </Area>
      <Area card part="settings/language" name={language.title}>
        <Language />
      </Area>
      <Area card part="settings/mining" name={t.mining}>
        <MiningConfiguration />
      </Area>
      <Area card part="settings/notices" name={notices.title}>
        <NoticeChoices />
      </Area>
      <Area card part="settings/security" name={t.security}>
        <Security />
      </Area>
      <Area card part="settings/data" name={data.title}>
        <DataManagement />
      </Area>
      <Area card part="settings/support" name={support.title}>
        <Support />
      </Area>
      <Place name="settings.section" />
      <Area card part="settings/actions" name={t.actions}>
        <AccountActions onSignOut={() => setLeaving(true)} />
      </Area>
      <OverlayArea part="settings/sign-out" name={t.signOut} open={leaving} onOpenChange={setLeaving}>
        <SignOutDialog open={leaving} onOpenChange={setLeaving} />
      </OverlayArea>
    </div>
  );
}

/** Whether what was changed is saved; what the server refused has gone back and is told in a toast. */
function Saved() {
  const t = useTexts(SETTINGS_TEXTS);
  const saving = useIsMutating({ mutationKey: SAVING }) > 0;
  return (
    <div role="status" data-testid="settings-saved">
      {saving ? (
        <Badge icon={<Spinner size={14} />}>{t.saving}</Badge>
      ) : (
        <Badge tone="live" icon={<Check size={16} aria-hidden="true" />}>
          {t.saved}
        </Badge>
      )}
    </div>
  );
}
