import { useTexts, useToasts } from '@cord/sdk';
import { Button, SettingRow } from '@cord/ui';
import { useShell } from '../app/shell-context';
import { Place } from '../parts/place';
import { clearDevice } from './clear-device';
import { DATA_TEXTS } from './data-texts';
import { Section } from './section';
import s from './settings.module.css';

/** What is held and for how long, what modules have beside it, and clearing this device. */
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

const HELD = ['profile', 'sessions', 'ledger', 'network', 'wallet', 'support', 'tombstone'] as const;

/** Everything that is held of a user, and until when (services/README.md#erasure). */
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
