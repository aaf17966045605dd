import { useTexts, useToasts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { useState } from 'react';
import { useShell } from '../app/shell-context';
import { clearDevice } from './clear-device';
import { DATA_TEXTS } from './data-texts';
import { HistoryDialog } from './history-dialog';
import { Row, Section } from './section';
import s from './settings.module.css';

/** What is held and for how long, the history, and clearing this device. */
export function DataManagement() {
  const t = useTexts(DATA_TEXTS);
  const [viewing, setViewing] = useState(false);
  return (
    <Section title={t.title} text={t.intro}>
      <Row title={t.history} help={t.historyHelp}>
        <Button onClick={() => setViewing(true)}>{t.view}</Button>
      </Row>
      <Held />
      <ClearDevice />
      <HistoryDialog open={viewing} onOpenChange={setViewing} />
    </Section>
  );
}

const HELD = ['profile', 'sessions', 'ledger', 'network', 'wallet', 'support', 'tombstone'] as const;

/** Everything that is held of a user, and until when (services/README.md#erasure). */
function Held() {
  const t = useTexts(DATA_TEXTS);
  return (
    <section aria-label={t.held}>
      <h3 className={s.rowTitle}>{t.held}</h3>
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
    <Row title={t.device} help={t.deviceHelp}>
      <Button onClick={() => void clear()}>{t.clear}</Button>
    </Row>
  );
}
