import type * as noticesEndpoints from '@cord/contracts/addresses/notices';
import type { ResponseOf } from '@cord/contracts/calls';
import { deviceIn } from '@cord/contracts/rules/device';
import { formatDate, formatWhen, useSdk, useSettings, useTexts, useUserId } from '@cord/sdk';
import { Button, Input, SettingRow, Skeleton, Switch } from '@cord/ui';
import { useId } from 'react';
import { useFirstFew } from '../first-few';
import { Known } from '../known';
import { Section } from '../section';
import { SETTINGS_TEXTS } from '../texts';
import { useSaveSettings } from '../use-save-settings';
import { LeaveHelp } from './leave-help';
import s from './push.module.css';
import { PUSH_TEXTS } from './texts';
import type { Browser } from './this-browser';
import { useDevices, usePushActions, usePushKey, useRemoveDevice, useThisBrowser } from './use-push';

type Device = ResponseOf<typeof noticesEndpoints.pushDevices>[number];

/** Devices with pushes, and quiet hours. Nothing when the system sends no pushes. */
export function PushDevices() {
  const t = useTexts(PUSH_TEXTS);
  const key = usePushKey();
  const here = useThisBrowser();
  const devices = useDevices();
  if (key === null || key === undefined) return null;
  return (
    <Section title={t.devices} text={t.devicesText}>
      <Known query={devices} failed={t.devicesFailed}>
        {(known) =>
          here === undefined ? <Skeleton height={48} /> : <Devices serverKey={key} here={here} devices={known} />
        }
      </Known>
      <QuietHours />
    </Section>
  );
}

/** This browser first, then the others. */
export function Devices({
  serverKey,
  here,
  devices,
}: {
  serverKey: string;
  here: Browser;
  devices: readonly Device[];
}) {
  const { deviceOf, deviceUnknown } = useTexts(SETTINGS_TEXTS);
  const names = { of: deviceOf, unknown: deviceUnknown };
  const own = devices.find(({ id }) => id === here.id);
  const help = useHelp();
  const others = devices
    .filter((device) => device !== own)
    .map((device) => ({ ...device, name: deviceIn(names, device.device) }));
  const { shown, more } = useFirstFew(others);
  return (
    <>
      <ThisBrowser serverKey={serverKey} here={here} own={own} />
      {shown.map((device) => (
        <SettingRow key={device.id} title={device.name} help={help(device)}>
          <RemoveButton device={device} />
        </SettingRow>
      ))}
      {more}
    </>
  );
}

function RemoveButton({ device }: { device: { id: string; name: string } }) {
  const t = useTexts(PUSH_TEXTS);
  const remove = useRemoveDevice(device.id);
  return (
    <Button
      needsServer
      size="sm"
      aria-label={t.removeNamed({ device: device.name })}
      loading={remove.isPending}
      onClick={() => remove.press(device.id)}
    >
      {t.remove}
    </Button>
  );
}

/** This browser: permission, switch and test. */
function ThisBrowser({ serverKey, here, own }: { serverKey: string; here: Browser; own: Device | undefined }) {
  const t = useTexts(PUSH_TEXTS);
  const { allow, leave, test } = usePushActions();
  const help = useHelp();
  const helpId = useId();
  const isBlocked = here.permission === 'denied';
  const isOn = own !== undefined && !isBlocked;
  return (
    <SettingRow
      title={t.thisBrowser}
      help={<LeaveHelp here={here}>{own ? help(own) : t.notYet}</LeaveHelp>}
      helpId={helpId}
    >
      {isOn && (
        <Button needsServer size="sm" loading={test.isPending} onClick={() => test.press(own.id)}>
          {t.test}
        </Button>
      )}
      <Switch
        label={t.thisBrowser}
        labelHidden
        aria-describedby={helpId}
        needsServer
        checked={isOn}
        disabled={here.permission === 'none' || isBlocked || allow.isPending || leave.isPending}
        onChange={(on) => (on ? allow.press(serverKey) : own && leave.press(own.id))}
        testId="push-here"
      />
    </SettingRow>
  );
}

/** Formats when a device was allowed and when it last received a message. */
function useHelp(): (device: Device) => string {
  const t = useTexts(PUSH_TEXTS);
  const { clock } = useSdk();
  return ({ allowedAt, lastSentAt }) => {
    const day = formatDate(Date.parse(allowedAt));
    if (lastSentAt === null) return t.allowed({ day });
    return t.allowedAndSent({ day, when: formatWhen(Date.parse(lastSentAt), clock.now()) });
  };
}

const NIGHT = { from: '23:00', to: '07:00' };

/** Daily times without pushes, by this browser's clock. */
export function QuietHours() {
  const t = useTexts(PUSH_TEXTS);
  const { data } = useSettings();
  const save = useSaveSettings(useUserId() ?? '');
  if (data === undefined) return <Skeleton height={48} />;
  const { quietHours: set } = data;
  const { from, to } = set ?? NIGHT;
  const keep = (hours: { from: string; to: string } | null) =>
    save.press({
      quietHours: hours && { ...hours, zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    });
  return (
    <div>
      <Switch
        label={t.quiet}
        help={t.quietHelp({ from, to })}
        needsServer
        checked={set !== null}
        onChange={(on) => keep(on ? NIGHT : null)}
        testId="quiet-hours"
      />
      {set !== null && (
        <fieldset aria-label={t.quiet} className={s.times}>
          <Time key={`from ${from}`} label={t.quietFrom} value={from} onChange={(next) => keep({ from: next, to })} />
          <Time key={`to ${to}`} label={t.quietTo} value={to} onChange={(next) => keep({ from, to: next })} />
        </fieldset>
      )}
    </div>
  );
}

/** A time field; the value is saved when the field loses focus. */
function Time({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Input
      type="time"
      label={label}
      defaultValue={value}
      onBlur={({ target }) => target.value !== '' && target.value !== value && onChange(target.value)}
    />
  );
}
