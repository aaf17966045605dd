import type { refunds } from '@cord/contracts/addresses/rewards';
import type { ResponseOf } from '@cord/contracts/calls';
import type { OperatorsOverview } from '@cord/contracts/http/overview';
import { useServerNow, useTexts } from '@cord/sdk';
import { Card, Fact, formatCount, formatSpan, UNKNOWN } from '@cord/ui';
import s from './overview.module.css';
import { TEXTS } from './texts';

interface QueuesProps {
  overview: OperatorsOverview;
  /** Undefined while not known. */
  payments: ResponseOf<typeof refunds> | undefined;
}

/** What waits for an operator, and since when the oldest does. */
export function Queues({ overview, payments }: QueuesProps) {
  const t = useTexts(TEXTS);
  const { requests, crowdedAddresses, parkedCredits, deadLetters, switchesOff } = overview;
  const waiting = useWaiting();
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
    { name: t.queuePayments, value: paymentCount ? waiting(paymentCount) : UNKNOWN, hint: null },
    { name: t.queueAddresses, value: formatCount(crowdedAddresses), hint: null },
    { name: t.queueParked, value: waiting(parkedCredits), hint: null },
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
  /** There are more than were counted. */
  more: boolean;
  oldestAt: string | null;
}

/** How many wait, and since when the oldest does; in whole minutes, so that nothing ticks. */
function useWaiting(): (waiting: Waiting) => string {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  return ({ count, more, oldestAt }) => {
    const counted = more ? t.andMore({ count: formatCount(count) }) : formatCount(count);
    if (oldestAt === null) return counted;
    const waitedMs = Math.max(MINUTE_MS, Math.floor((nowMs - Date.parse(oldestAt)) / MINUTE_MS) * MINUTE_MS);
    return t.oldest({ count: counted, span: formatSpan(waitedMs) });
  };
}

const MINUTE_MS = 60_000;
