import { checkpointOf } from '@cord/contracts/proof/note';
import { readDayRecord, readLogRecord, readTlogProof } from '@cord/contracts/proof/records';
import { dateFormat, formatDayKey, useTexts } from '@cord/sdk';
import { Badge, Card, Fact, formatCord, formatCount, Link } from '@cord/ui';
import { CalendarDays } from 'lucide-react';
import s from './check-view.module.css';
import type { CheckEnd } from './run-check';
import { CHECK_TEXTS } from './texts';

const date = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const time = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' });
/** Shows a transaction without us. */
const EXPLORER = 'https://explorer.solana.com/tx/';

/** The record of the day as it stands in the log. */
export function PublishedRoot({ end }: { end: CheckEnd }) {
  const t = useTexts(CHECK_TEXTS);
  const { proof, root, later } = end.parts;
  const begun = readLogRecord(end.parts.begun ?? '');
  const record = readDayRecord(proof.record);
  const tlog = readTlogProof(proof.tlog);
  const size = checkpointOf(tlog?.checkpoint ?? '')?.size ?? 0;
  const atMs = Date.parse(root.at);
  const { memo, memoSigner } = root;
  return (
    <Card
      title={t.root}
      aside={<Badge icon={<CalendarDays size={16} aria-hidden="true" />}>{formatDayKey(end.day)}</Badge>}
    >
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
