import { NOTICE_KINDS, type NoticeChoice, type NoticeKind, noticeChoice } from '@cord/contracts/rules/notices';
import { type TextsOf, useSettings, useStore, useTexts, useUserId } from '@cord/sdk';
import { ChipGroup, SettingRow, Skeleton, Switch } from '@cord/ui';
import type { ReactNode } from 'react';
import { opensByKey, setOpensByKey } from '../notices/open-key';
import { Known } from './known';
import { NOTICE_CHOICE_TEXTS } from './notice-texts';
import { PushDevices } from './push/push-devices';
import { useDevices, usePushActions, usePushKey, useThisBrowser } from './push/use-push';
import { Section } from './section';
import { useSaveSettings } from './use-save-settings';

type TextKey = keyof TextsOf<typeof NOTICE_CHOICE_TEXTS>;

/** Keys of the name and help of each kind of notice. */
const TEXT_KEYS: Readonly<Record<NoticeKind, readonly [TextKey, TextKey]>> = {
  'node-paused': ['paused', 'pausedHelp'],
  'streak-closing': ['streak', 'streakHelp'],
  'friend-joined': ['friend', 'friendHelp'],
  commission: ['commission', 'commissionHelp'],
  payment: ['payment', 'paymentHelp'],
  'support-answered': ['support', 'supportHelp'],
  epoch: ['epoch', 'epochHelp'],
  rank: ['rank', 'rankHelp'],
  security: ['signIn', 'signInHelp'],
};

/** Push setting, place of each kind of notice, the key that opens them, and the devices with pushes. */
export function NoticeChoices() {
  const t = useTexts(NOTICE_CHOICE_TEXTS);
  const byKey = useStore(opensByKey);
  return (
    <>
      <Section title={t.title} text={t.text}>
        <Kinds />
        <Switch label={t.key} help={t.keyHelp} checked={byKey} onChange={setOpensByKey} testId="notices-key" />
      </Section>
      <PushDevices />
    </>
  );
}

function Kinds() {
  const t = useTexts(NOTICE_CHOICE_TEXTS);
  const saved = useSettings();
  const save = useSaveSettings(useUserId() ?? '');
  const serverKey = usePushKey();
  const here = useThisBrowser();
  const devices = useDevices();
  const { allow } = usePushActions();
  // Not if the user turned it off here while other devices are on.
  const isFirst = here?.permission === 'granted' && devices.data?.length === 0;
  const isHereOff = here?.id === null && (here.permission === 'default' || isFirst);
  const choose = (kind: NoticeKind, choice: NoticeChoice) => {
    // The only time the browser shows its permission prompt, once.
    if (choice === 'push' && serverKey && isHereOff) allow.press(serverKey);
    save.press({ notices: { [kind]: choice } });
  };
  const rows = (control: (kind: NoticeKind, label: string) => ReactNode) =>
    NOTICE_KINDS.map((kind) => {
      const [name, help] = TEXT_KEYS[kind];
      return (
        <SettingRow key={kind} title={t[name]} help={t[help]}>
          {control(kind, t[name])}
        </SettingRow>
      );
    });
  const loading = (
    <>
      <SettingRow title={t.pushes} help={t.pushesHelp}>
        <Skeleton width={52} height={32} />
      </SettingRow>
      {rows(() => (
        <Skeleton width={160} height={40} />
      ))}
    </>
  );
  return (
    <Known query={saved} failed={t.failed} loading={loading}>
      {({ notifications, notices }) => (
        <>
          <Switch
            label={t.pushes}
            help={t.pushesHelp}
            needsServer
            checked={notifications}
            onChange={(on) => save.press({ notifications: on })}
            testId="notifications"
          />
          {rows((kind, label) => (
            <ChipGroup
              label={label}
              value={shownChoice(noticeChoice(notices, kind), serverKey)}
              options={[
                { value: 'app', label: t.app },
                ...(serverKey ? ([{ value: 'push', label: t.push }] as const) : []),
                { value: 'off', label: t.off },
              ]}
              onChange={(choice) => choose(kind, choice)}
            />
          ))}
        </>
      )}
    </Known>
  );
}

/** Pushed notices are in the app, too; without pushes that is the shown choice. */
const shownChoice = (choice: NoticeChoice, serverKey: string | null | undefined): NoticeChoice =>
  choice === 'push' && !serverKey ? 'app' : choice;
