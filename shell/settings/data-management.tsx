import { useTexts, useToasts } from '@cord/sdk';
import { Button, SettingRow } from '@cord/ui';
import { useShell } from '../app/shell-context';
import { Place } from '../parts/place';
import { TAKEN_THEME_KEY } from '../theme/theme';
import { DATA_TEXTS } from './data-texts';
import { Section } from './section';
import s from './settings.module.css';

/** Stored data with retention, data of modules, and clearing this device. */
export function DataManagement() {
  const t = useTexts(DATA_TEXTS);
  return (
    <Section title={t.title} text={t.intro}>
      <Place name="settings.data" />
      <Held />
      <ClearDevice />
    </Section>
  );
}

const HELD = [
  'profile',
  'sessions',
  'activity',
  'ledger',
  'network',
  'wallet',
  'notices',
  'devices',
  'support',
  'tombstone',
] as const;

/** All stored data of a user, with retention (services/README.md#erasure). */
function Held() {
  const t = useTexts(DATA_TEXTS);
  return (
    <section aria-label={t.held}>
      <h3 className="t-600 t-break">{t.held}</h3>
      <dl className={s.held}>
        {HELD.map((what) => (
          <div key={what}>
            <dt>{t[`what.${what}`]}</dt>
            <dd>{t[`until.${what}`]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ClearDevice() {
  const t = useTexts(DATA_TEXTS);
  const { appearance } = useShell();
  const toasts = useToasts();
  const clear = async () => {
    appearance.setTheme('system');
    appearance.setLiveMotion(true);
    await clearDevice();
    toasts.show({ kind: 'success', title: t.cleared, text: t.clearedText });
  };
  return (
    <SettingRow title={t.device} help={t.deviceHelp}>
      <Button onClick={() => void clear()}>{t.clear}</Button>
    </SettingRow>
  );
}

/**
 * Keys that survive clearing. A signed payment must still be handed in, and a possibly sent one not repeated. The
 * marker of the account's theme keeps the theme from being applied again over this device's default.
 */
const KEPT: ReadonlySet<string> = new Set(['cord.payment', 'cord.payment.lost', TAKEN_THEME_KEY]);
/** Cache of the push owner; without it the worker could not renew a subscription. */
const PUSH_CACHE = 'cord-push';
/** Cache of a worker that stays (public/sw.js); it contains no personal data. */
const OFFLINE_CACHE = /^cord-offline-/;

interface Device {
  storages: readonly Storage[];
  caches?: CacheStorage | undefined;
  serviceWorker?: ServiceWorkerContainer | undefined;
}

/**
 * Deletes the app's data in this browser: choices, a pending referral code, the offline page. The session and a
 * pending payment stay. A browser with pushes keeps its worker and the offline page, since the subscription would end
 * with the worker while the server still lists the device.
 */
export async function clearDevice(device: Device = deviceHere()): Promise<void> {
  for (const storage of device.storages) {
    for (const key of Object.keys(storage)) if (!KEPT.has(key)) storage.removeItem(key);
  }
  const workers = (await device.serviceWorker?.getRegistrations()) ?? [];
  const stay = await Promise.all(workers.map(isPushedTo));
  await Promise.all(workers.map((worker, index) => stay[index] || worker.unregister()));
  const isKept = (name: string) => name === PUSH_CACHE || (stay.includes(true) && OFFLINE_CACHE.test(name));
  const names = (await device.caches?.keys()) ?? [];
  await Promise.all(names.filter((name) => !isKept(name)).map((name) => device.caches?.delete(name)));
}

async function isPushedTo({ pushManager }: ServiceWorkerRegistration): Promise<boolean> {
  const subscription = await pushManager?.getSubscription().catch(() => null);
  return subscription !== null && subscription !== undefined;
}

function deviceHere(): Device {
  return {
    storages: [localStorage, sessionStorage],
    caches: 'caches' in globalThis ? caches : undefined,
    serviceWorker: navigator.serviceWorker,
  };
}
