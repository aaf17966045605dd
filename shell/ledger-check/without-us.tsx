import * as logEndpoints from '@cord/contracts/addresses/log';
import { messageOf, useSdk, useTexts, useToasts, useUserId } from '@cord/sdk';
import { Button, ButtonLink, Card, CopyField, Row, Stack } from '@cord/ui';
import { Download, Terminal } from 'lucide-react';
import { useState } from 'react';
import { downloadJson } from '../settings/download-json';
import s from './check-view.module.css';
import { finding } from './finding';
import { isFirstDay } from './no-root';
import { remembered } from './remembered';
import type { CheckEnd } from './run-check';
import { CHECK_TEXTS } from './texts';

/** The proof as a file, the verifier, and the commands: the same check without this page. */
export function WithoutUs({ end }: { end: CheckEnd | null }) {
  const t = useTexts(CHECK_TEXTS);
  const file = `cord-proof-${end?.day ?? 'DAY'}.json`;
  // All of them: a file that was saved before a rotation is signed by the key of then.
  const keys = end?.parts.keys.map(({ vkey }) => vkey) ?? ['KEY'];
  const key = keys.map((vkey) => ` --vkey ${vkey}`).join('');
  return (
    <Card title={t.without}>
      <Stack gap={12} className={s.without}>
        <ol className={s.list}>
          <li>{t.without1}</li>
          <li>{t.without2}</li>
          <li>{t.without3}</li>
        </ol>
        <CopyField label={t.command} value={`node verify.mjs ${file}${key}`} command />
        <p className="t-note t-break">{t.without4}</p>
        <CopyField label={t.commandCord} value={`npx cord verify ${file}${key}`} command />
        {end && (
          <>
            <p className="t-note t-break">{t.prints}</p>
            <p className={s.box}>
              <code>{finding(end.checked)}</code>
            </p>
          </>
        )}
        <Row gap={8} wrap>
          <DownloadProof end={end} />
          <ButtonLink variant="ghost" icon={<Terminal aria-hidden="true" />} href="/verify.mjs" download="verify.mjs">
            {t.script}
          </ButtonLink>
        </Row>
      </Stack>
    </Card>
  );
}

/** The proof that was checked, or the one of now. */
function DownloadProof({ end }: { end: CheckEnd | null }) {
  const t = useTexts(CHECK_TEXTS);
  const { api } = useSdk();
  const toasts = useToasts();
  const account = useUserId() ?? '';
  const [reading, setReading] = useState(false);
  /** Where a root had the account before, or the log has ended, these are not its first entries. */
  const withoutProof = () => {
    const { own, last } = remembered(account);
    return own === null && last?.ok !== false ? t.firstDay : t.downloadNone;
  };
  const download = async () => {
    setReading(true);
    try {
      const proof = end?.parts.proof ?? (await api.call(logEndpoints.proof, { params: { id: account } }));
      downloadJson(proof, `cord-proof-${proof.leaf.day}.json`);
    } catch (error) {
      const text = isFirstDay(error) ? withoutProof() : messageOf(error as Error, t.downloadFailed);
      toasts.show({ kind: 'error', title: t.downloadFailed, text });
    } finally {
      setReading(false);
    }
  };
  return (
    <Button
      icon={<Download aria-hidden="true" />}
      needsServer={end === null}
      loading={reading}
      loadingText={t.downloading}
      onClick={() => void download()}
    >
      {t.download}
    </Button>
  );
}
