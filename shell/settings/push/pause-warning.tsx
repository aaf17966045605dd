import { noticeChoice } from '@cord/contracts/rules/notices';
import { isUnread, useSettings, useTexts, useUserId } from '@cord/sdk';
import { Card, Skeleton, Switch, TabErrorPanel } from '@cord/ui';
import s from '../../parts/part-skeleton.module.css';
import { useSaveSettings } from '../use-save-settings';
import { LeaveHelp } from './leave-help';
import { PUSH_TEXTS } from './texts';
import type { Browser } from './this-browser';
import { useDevices, usePushActions, useServerKey, useThisBrowser } from './use-push';

/**
 * Setting for push notices before a pause in this browser: combines the choice in Settings with the browser's
 * permission. A part of the shell on the node's page; nothing when the system sends no pushes.
 */
export function PauseWarning() {
  const t = useTexts(PUSH_TEXTS);
  const keyQuery = useServerKey();
  const here = useThisBrowser();
  const devices = useDevices();
  const saved = useSettings();
  const serverKey = keyQuery.data?.key;
  if (serverKey === null) return null;
  const failed = [keyQuery, saved, devices].filter((each) => each.data === undefined && isUnread(each));
  const isRetrying = failed.some((each) => each.isFetching);
  const retry = () => failed.forEach((each) => void each.refetch());
  return (
    <Card>
      <div className={s.switch}>
        {failed.length > 0 ? (
          <TabErrorPanel compact title={t.warnFailed} retrying={isRetrying} onRetry={retry} />
        ) : serverKey === undefined || here === undefined || !devices.data || !saved.data ? (
          <Skeleton height={40} />
        ) : (
          <WarningSwitch
            serverKey={serverKey}
            here={here}
            isHere={devices.data.some(({ id }) => id === here.id)}
            isChosen={noticeChoice(saved.data.notices, 'node-paused') === 'push' && saved.data.notifications}
          />
        )}
      </div>
    </Card>
  );
}

interface WarningSwitchProps {
  serverKey: string;
  here: Browser;
  /** Whether the server pushes to this browser. */
  isHere: boolean;
  /** Whether this kind of notice is pushed. */
  isChosen: boolean;
}

export function WarningSwitch({ serverKey, here, isHere, isChosen }: WarningSwitchProps) {
  const t = useTexts(PUSH_TEXTS);
  const { allow } = usePushActions();
  const save = useSaveSettings(useUserId() ?? '');
  const isAble = here.permission === 'default' || here.permission === 'granted';
  const choose = () => {
    if (!isChosen) save.press({ notifications: true, notices: { 'node-paused': 'push' } });
  };
  return (
    <Switch
      label={t.warn}
      help={<LeaveHelp here={here}>{t.warnText}</LeaveHelp>}
      needsServer
      checked={isAble && isHere && isChosen}
      disabled={!isAble || allow.isPending}
      onChange={(on) => {
        if (!on) save.press({ notices: { 'node-paused': 'app' } });
        else if (isHere) choose();
        // The browser shows its prompt; a refusal changes nothing.
        else allow.press(serverKey, choose);
      }}
      testId="warn-pause"
    />
  );
}
