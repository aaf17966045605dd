import type { outages } from '@cord/contracts/addresses/checkin';
import type { ResponseOf } from '@cord/contracts/calls';
import type { PausedNode } from '@cord/contracts/http/overview';
import { Loaded, useServerNow, useTabParam, useTexts } from '@cord/sdk';
import { Card, type Column, Link, LinkButton, Row, Skeleton, StatusDot, Table, UNKNOWN } from '@cord/ui';
import { type ReactNode, useId } from 'react';
import { exactChange } from '../room/amounts';
import { MINUTE_MS, minutesText, useMoments } from '../room/moments';
import { Pager, usePages } from '../room/pager';
import { accountHref, shortId } from '../room/short-id';
import s from './overview.module.css';
import { TEXTS } from './texts';
import { useOutageNodes, useOutages, usePausedNodes } from './use-overview';

type Seen = ResponseOf<typeof outages>;
type Outage = Seen['outages'][number];

/** Maximum number of outages shown; the response has more. */
const SHOWN = 8;

/** Outages of the check-in: when, how many streaks the excused days saved, and which nodes paused. */
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
  const { minute, when } = useMoments();
  const kept = new Map(days.map((day) => [day.dayKey, day.kept]));
  const effect = (excused: readonly string[]) => {
    if (excused.length === 0) return t.outageNone;
    const counts = excused.map((day) => kept.get(day) ?? null);
    if (counts.includes(null)) return t.outageCounting;
    return t.outageKept({ count: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) });
  };
  const nodes = new Map(useOutageNodes().data?.outages.map((one) => [one.from, one]));
  const [opened, open] = useTabParam('outage');
  const list = useId();
  const whenOf = ({ from, to }: Outage) =>
    to === null ? t.outageNow({ time: minute(from) }) : t.outageSpan({ from: minute(from), to: when(to, from) });
  const nodesOf = ({ from }: Outage) => {
    const counted = nodes.get(from);
    if (!counted) return UNKNOWN;
    const { paused, corrected } = counted;
    if (paused === 0) return t.outageNoNodes;
    const isOpen = opened === from;
    return (
      <LinkButton
        className={s.count}
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        onClick={() => open(isOpen ? null : from)}
      >
        {t.outagePaused({ count: paused })}
        {corrected > 0 && t.outageCorrected({ count: corrected })}
      </LinkButton>
    );
  };
  const columns: Column<Outage>[] = [
    { key: 'when', head: t.outageWhen, names: true, cell: whenOf },
    {
      key: 'lasted',
      head: t.outageLasted,
      cell: ({ from, to }) => {
        const lastedMs = (to === null ? nowMs : Date.parse(to)) - Date.parse(from);
        return minutesText(lastedMs);
      },
    },
    { key: 'effect', head: t.outageEffect, cell: ({ days: excused }) => effect(excused) },
    { key: 'nodes', head: t.outageNodes, cell: nodesOf },
  ];
  const shown = all.slice(0, SHOWN);
  const one = shown.find(({ from }) => from === opened);
  if (all.length === 0) return <p className={s.none}>{t.noOutages}</p>;
  // A current outage ends at the next full minute, so that the list does not change within one.
  const endOf = ({ to }: Outage) => to ?? new Date(Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS).toISOString();
  return (
    <>
      <Table dense caption={t.outages} columns={columns} rows={shown} rowKey={({ from }) => from} />
      {one && <PausedNodes key={one.from} id={list} when={whenOf(one)} from={one.from} to={endOf(one)} />}
    </>
  );
}

interface PausedNodesProps {
  id: string;
  /** The outage as text, for the heading. */
  when: string;
  /** ISO 8601. */
  from: string;
  to: string;
}

/** Nodes whose lease ended in an outage, newest first, in pages. */
function PausedNodes({ id, when, from, to }: PausedNodesProps) {
  const t = useTexts(TEXTS);
  const pages = usePages(from);
  const columns = useColumns();
  const query = usePausedNodes({ from, to }, pages.cursor);
  return (
    <section id={id} className={s.paused} aria-label={t.pausedTitle({ when })} data-testid="paused-nodes">
      <h3 className="t-strong">{t.pausedTitle({ when })}</h3>
      <p className="t-note">{t.pausedText}</p>
      <Loaded query={query} failed={t.pausedFailed} loading={<Skeleton height={128} />}>
        {({ nodes, nextCursor }) => (
          <>
            <Table
              dense
              caption={t.pausedTitle({ when })}
              columns={columns}
              rows={nodes}
              rowKey={({ userId, pausedAt }) => `${userId} ${pausedAt}`}
            />
            <Pager {...{ pages, nextCursor }} next={t.pausedEarlier} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function useColumns(): Column<PausedNode>[] {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  return [
    {
      key: 'account',
      head: t.pausedAccount,
      names: true,
      cell: ({ userId }) => <Link href={accountHref(userId)}>{shortId(userId)}</Link>,
    },
    { key: 'ended', head: t.pausedAt, cell: ({ pausedAt }) => minute(pausedAt) },
    {
      key: 'state',
      head: t.pausedState,
      cell: ({ runs }) => (
        <Row as="span" inline gap={8} align="center">
          {runs && <StatusDot tone="live" />}
          {runs ? t.pausedRuns : t.pausedStill}
        </Row>
      ),
    },
    {
      key: 'corrected',
      head: t.pausedCorrected,
      align: 'right',
      cell: ({ corrected }) => (corrected === null ? UNKNOWN : exactChange(corrected)),
    },
  ];
}
