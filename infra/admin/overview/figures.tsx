import type { refunds } from '@cord/contracts/addresses/rewards';
import type { ResponseOf } from '@cord/contracts/calls';
import type { GlobalStats } from '@cord/contracts/http/leaderboard';
import type { IssuedOverTime, OperatorsOverview } from '@cord/contracts/http/overview';
import { formatDayKey, useServerNow, useTabView, useTexts } from '@cord/sdk';
import { Card, Cell, Cells, Fact, formatCord, formatCount, Link, UNKNOWN } from '@cord/ui';
import { inThousands } from '../room/amounts';
import { MINUTE_MS, minutesText, useMoments } from '../room/moments';
import { linkTo } from '../room/opened';
import type { ViewId } from '../room/views';
import s from './overview.module.css';
import { TEXTS } from './texts';

interface FiguresProps {
  overview: OperatorsOverview;
  /** Undefined while loading. */
  figures: GlobalStats | undefined;
  issued: IssuedOverTime | undefined;
}

/** Six figures. */
export function Figures({ overview, figures, issued }: FiguresProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const [yesterday, today] = issued?.buckets.slice(-2) ?? [];
  const faults = overview.clientErrors.reduce((sum, { count }) => sum + count, 0);
  const { audit, root } = issued ?? {};
  const shownMemo = (last: NonNullable<NonNullable<typeof root>['memo']>['last']) =>
    last ? t.memoOf({ size: last.size, slot: last.slot, time: minute(last.at) }) : t.noMemo;
  const shownWitnesses = ({ size, witnesses }: NonNullable<typeof root>) => {
    const missing = witnesses.filter((one) => one.size === null || one.size < size).map(({ name }) => name);
    const count = witnesses.length;
    const text = t.witnessed({ size, signed: count - missing.length, count });
    return missing.length === 0 ? text : `${text}, ${t.unwitnessed({ names: missing.join(', ') })}`;
  };
  return (
    <Cells className={s.figures} columns={3}>
      <Cell
        label={t.activeNodes}
        value={figures && formatCount(figures.activeMiners)}
        hint={figures && t.ofMiners({ count: figures.totalMiners })}
      />
      <Cell label={t.onlineNow} value={figures && formatCount(figures.onlineNow)} hint={t.inFive} />
      <Cell
        label={t.issuedToday}
        value={today && formatCord(today.total, { decimals: 0 })}
        hint={yesterday && t.yesterday({ amount: formatCord(yesterday.total, { decimals: 0 }) })}
      />
      <Cell label={t.issuedInAll} value={issued && inThousands(issued.inAll)} hint={t.cordAllTime} />
      <Cell
        label={t.ledgerDrift}
        value={issued && formatCord(audit?.drift ?? null, { decimals: audit?.drift === 0 ? 0 : 6 })}
        hint={
          issued &&
          [
            audit ? t.audited({ time: minute(audit.at), count: audit.accounts }) : t.notAudited,
            root ? t.rootOf({ day: formatDayKey(root.day), size: root.size }) : t.noRoot,
            ...(root?.memo ? [shownMemo(root.memo.last)] : []),
            ...(root && root.witnesses.length > 0 ? [shownWitnesses(root)] : []),
          ].join('; ')
        }
      />
      <Cell label={t.pageErrors} value={formatCount(faults)} hint={t.pageErrorsHint} />
    </Cells>
  );
}

interface QueuesProps {
  overview: OperatorsOverview;
  /** Undefined while loading. */
  payments: ResponseOf<typeof refunds> | undefined;
}

/** Queues of the operators: number of items and the age of the oldest. */
export function Queues({ overview, payments }: QueuesProps) {
  const t = useTexts(TEXTS);
  const { requests, crowdedAddresses, parkedCredits, deadLetters, switchesOff } = overview;
  const waiting = useWaiting();
  const view = useTabView('view');
  /** Links to the view of the queue, unless it is empty. */
  const linked = (to: ViewId, queue: Waiting | undefined) => {
    if (!queue) return UNKNOWN;
    const text = waiting(queue);
    return queue.count > 0 ? <Link {...linkTo(view, to)}>{text}</Link> : text;
  };
  const paymentCount = payments && {
    count: payments.refunds.length,
    more: payments.nextCursor !== null,
    oldestAt: payments.refunds[0]?.at ?? null,
  };
  const rows = [
    ...requests.map(({ kind, open, more, priority, oldestAt }) => ({
      name: t[`queue.${kind}`],
      value: waiting({ count: open, more, oldestAt }),
      hint: priority > 0 ? t.fromHolders({ count: priority }) : null,
    })),
    { name: t.queuePayments, value: linked('refunds', paymentCount), hint: null },
    { name: t.queueAddresses, value: formatCount(crowdedAddresses), hint: null },
    { name: t.queueParked, value: linked('credits', parkedCredits), hint: null },
    { name: t.queueDead, value: formatCount(deadLetters), hint: null },
    { name: t.queueOff, value: formatCount(switchesOff.length), hint: null },
  ];
  return (
    <Card title={t.queues}>
      <dl className={s.rows}>
        {rows.map(({ name, value, hint }) => (
          <Fact key={name} name={name}>
            <span data-number>{value}</span>
            {hint !== null && <small>{hint}</small>}
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

interface Waiting {
  count: number;
  /** The count is a lower bound. */
  more: boolean;
  oldestAt: string | null;
}

/** Formats the number of waiting items and the age of the oldest. */
function useWaiting(): (waiting: Waiting) => string {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  return ({ count, more, oldestAt }) => {
    const counted = more ? t.andMore({ count: formatCount(count) }) : formatCount(count);
    if (oldestAt === null) return counted;
    const waitedMs = Math.max(MINUTE_MS, nowMs - Date.parse(oldestAt));
    return t.oldest({ count: counted, span: minutesText(waitedMs) });
  };
}
