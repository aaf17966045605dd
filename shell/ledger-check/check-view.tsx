import * as logEndpoints from '@cord/contracts/addresses/log';
import { checkpointOf } from '@cord/contracts/proof/note';
import { readDayRecord, readLogRecord, readTlogProof } from '@cord/contracts/proof/records';
import {
  dateFormat,
  formatDayKey,
  messageOf,
  type TabView,
  usePageTitle,
  useSdk,
  useTexts,
  useToasts,
  useUserId,
} from '@cord/sdk';
import {
  BackButton,
  Badge,
  Button,
  ButtonLink,
  Card,
  Columns,
  CopyField,
  Fact,
  formatCord,
  formatCount,
  Link,
  LinkButton,
  PageHead,
  Row,
  Stack,
  ViewPage,
} from '@cord/ui';
import { CalendarDays, Download, LockKeyhole, Terminal } from 'lucide-react';
import { useState } from 'react';
import { RULES_VIEW } from '../app/bundles';
import { downloadJson } from '../settings/download-json';
import s from './check-view.module.css';
import { finding } from './finding';
import { FourChecks } from './four-checks';
import { orNoRoot } from './no-root';
import { remembered } from './remembered';
import { Result } from './result';
import { type CheckEnd, type CheckEngine, isRight } from './run-check';
import { CHECK_TEXTS } from './texts';
import { useCheck } from './use-check';

interface CheckViewProps {
  view: Pick<TabView, 'open' | 'close'>;
  engine?: CheckEngine;
}

const IN_BROWSER: CheckEngine = {};

/** Checks the user's ledger against the published log: `?tab=settings&view=proof`. */
export function CheckView({ view, engine = IN_BROWSER }: CheckViewProps) {
  const t = useTexts(CHECK_TEXTS);
  usePageTitle(t.title);
  const check = useCheck(engine);
  const { state } = check;
  const end = state.kind === 'done' ? state.end : null;
  return (
    <ViewPage>
      <PageHead title={t.title} back={<BackButton onClick={view.close}>{t.back}</BackButton>}>
        {t.intro}
      </PageHead>
      <Result check={check} />
      <Columns align="start">
        <FourChecks end={end} />
        <Stack gap="var(--gap)">
          {end && <PublishedRoot end={end} />}
          <IndependentCheck end={end} />
        </Stack>
      </Columns>
      <Limits />
      <Row as="p" gap={8} className="t-note t-icon">
        <LockKeyhole size={16} />
        <span>
          {t.footer} <LinkButton onClick={() => view.open(RULES_VIEW)}>{t.rules}</LinkButton>
        </span>
      </Row>
    </ViewPage>
  );
}

const LIMITS = [
  'limits1',
  'limits2',
  'limits3',
  'limits4',
  'limits5',
  'limits6',
  'limits7',
  'limits8',
  'limits9',
] as const;

/** Limits of a successful check. */
function Limits() {
  const t = useTexts(CHECK_TEXTS);
  return (
    <details className={s.limits}>
      <summary>{t.limits}</summary>
      <ul className={s.list}>
        {LIMITS.map((key) => (
          <li key={key}>{t[key]}</li>
        ))}
      </ul>
    </details>
  );
}

const date = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const time = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' });
/** Public explorer for transactions. */
const EXPLORER = 'https://explorer.solana.com/tx/';

/** The day's record in the log. */
function PublishedRoot({ end }: { end: CheckEnd }) {
  const t = useTexts(CHECK_TEXTS);
  const { proof, root, later } = end.parts;
  const begun = readLogRecord(end.parts.begun ?? '');
  const record = readDayRecord(proof.record);
  const tlog = readTlogProof(proof.tlog);
  const size = checkpointOf(tlog?.checkpoint ?? '')?.size ?? 0;
  const atMs = Date.parse(root.at);
  const { memo, memoSigner } = root;
  return (
    <Card title={t.root} aside={<Badge icon={<CalendarDays size={16} />}>{formatDayKey(end.day)}</Badge>}>
      <p className={s.box}>
        <code>{record?.root}</code>
      </p>
      <dl className={s.facts}>
        <Fact name={t.published}>{t.publishedAt({ date: date.format(atMs), time: time.format(atMs) })}</Fact>
        {memoSigner !== null && (
          <Fact name={t.memo}>
            {memo === null ? (
              t.memoNone
            ) : (
              <Link href={`${EXPLORER}${memo.signature}`} external>
                {t.memoLink({ signature: `${memo.signature.slice(0, 4)}…${memo.signature.slice(-4)}` })}
              </Link>
            )}
          </Fact>
        )}
        <Fact name={t.accounts} number>
          {formatCount(record?.accounts ?? 0)}
        </Fact>
        <Fact name={t.total} number>
          {t.amount({ amount: formatCord(record?.total ?? null) })}
        </Fact>
        <Fact name={t.logSize} number>
          {t.logSizeValue({ n: (tlog?.index ?? 0) + 1, size })}
        </Fact>
        {begun && (
          <Fact name={t.begunRow}>
            {date.format(begun.atMs)}: {begun.reason}
          </Fact>
        )}
        <Fact name={t.later}>{later.length === 0 ? t.laterNone : t.laterValue({ count: later.length })}</Fact>
      </dl>
    </Card>
  );
}

/** The proof as a file, the verifier and the commands, to repeat the check without this page. */
function IndependentCheck({ end }: { end: CheckEnd | null }) {
  const t = useTexts(CHECK_TEXTS);
  const file = `cord-proof-${end?.day ?? 'DAY'}.json`;
  // All keys, since a saved file may be signed by a key from before a rotation.
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
        {end && isRight(end.checked) && (
          <>
            <p className="t-note t-break">{t.prints}</p>
            <p className={s.box}>
              <code>{finding(end.checked)}</code>
            </p>
          </>
        )}
        <Row gap={8} wrap>
          <DownloadProof end={end} />
          <ButtonLink variant="ghost" icon={<Terminal />} href="/verify.mjs" download="verify.mjs">
            {t.script}
          </ButtonLink>
        </Row>
      </Stack>
    </Card>
  );
}

/** Downloads the checked proof, or the current one. */
function DownloadProof({ end }: { end: CheckEnd | null }) {
  const t = useTexts(CHECK_TEXTS);
  const { api } = useSdk();
  const toasts = useToasts();
  const account = useUserId() ?? '';
  const [reading, setReading] = useState(false);
  /** Text without a proof. If a root had the account before, or the log is gone, this is not its first day. */
  const withoutProof = () => {
    const { own, last } = remembered(account);
    return own === null && last?.ok !== false ? t.firstDay : t.downloadNone;
  };
  const failed = (text: string) => toasts.show({ kind: 'error', title: t.downloadFailed, text });
  const download = async () => {
    setReading(true);
    try {
      const proof = end?.parts.proof ?? (await orNoRoot(api.call(logEndpoints.proof, { params: { id: account } })));
      if (proof === null) failed(withoutProof());
      else downloadJson(proof, `cord-proof-${proof.leaf.day}.json`);
    } catch (error) {
      failed(messageOf(error as Error, t.downloadFailed));
    } finally {
      setReading(false);
    }
  };
  return (
    <Button
      icon={<Download />}
      needsServer={end === null}
      loading={reading}
      loadingText={t.downloading}
      onClick={() => void download()}
    >
      {t.download}
    </Button>
  );
}
