import type { outages } from '@cord/contracts/addresses/checkin';
import type { ResponseOf } from '@cord/contracts/calls';
import { Loaded, useServerNow, useTexts } from '@cord/sdk';
import { Card, type Column, formatSpan, Skeleton, Table } from '@cord/ui';
import type { ReactNode } from 'react';
import { clock, minute } from '../room/moments';
import s from './overview.module.css';
import { TEXTS } from './texts';
import { useOutages } from './use-overview';

type Seen = ResponseOf<typeof outages>;

/** Outages that are shown; more stand in the answer. */
const SHOWN = 8;

/** When check-ins could not be made through a fault of ours, and how many streaks the days that are excused for it kept. */
export function OutagesCard() {
  const t = useTexts(TEXTS);
  const seen = useOutages();
  const card = (children: ReactNode) => (
    <Card title={t.outages} padding="none" className={s.outages}>
      {children}
    </Card>
  );
  return (
    <Loaded query={seen} failed={t.outagesFailed} loading={card(<Skeleton height={128} />)}>
      {(data) => card(<Outages {...data} />)}
    </Loaded>
  );
}

function Outages({ outages: all, days }: Seen) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const kept = new Map(days.map((day) => [day.dayKey, day.kept]));
  const effect = (excused: readonly string[]) => {
    if (excused.length === 0) return t.outageNone;
    const counts = excused.map((day) => kept.get(day) ?? null);
    if (counts.includes(null)) return t.outageCounting;
    return t.outageKept({ count: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) });
  };
  const columns: Column<Seen['outages'][number]>[] = [
    {
      key: 'when',
      head: t.outageWhen,
      names: true,
      cell: ({ from, to }) =>
        to === null
          ? t.outageNow({ time: minute(from) })
          : t.outageSpan({
              from: minute(from),
              to: (from.slice(0, 10) === to.slice(0, 10) ? clock : minute)(to),
            }),
    },
    {
      key: 'lasted',
      head: t.outageLasted,
      cell: ({ from, to }) => {
        const lastedMs = (to === null ? nowMs : Date.parse(to)) - Date.parse(from);
        return formatSpan(Math.floor(lastedMs / MINUTE_MS) * MINUTE_MS);
      },
    },
    { key: 'effect', head: t.outageEffect, cell: ({ days: excused }) => effect(excused) },
  ];
  if (all.length === 0) return <p className={s.none}>{t.noOutages}</p>;
  return (
    <Table
      className={s.dense}
      caption={t.outages}
      columns={columns}
      rows={all.slice(0, SHOWN)}
      rowKey={({ from }) => from}
    />
  );
}

const MINUTE_MS = 60_000;
