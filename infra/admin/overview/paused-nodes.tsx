import type { PausedNode } from '@cord/contracts/http/overview';
import { Loaded, useTexts } from '@cord/sdk';
import { type Column, Link, Row, Skeleton, StatusDot, Table, UNKNOWN } from '@cord/ui';
import { exactChange } from '../room/exact-change';
import { useMoments } from '../room/moments';
import { Pager, usePages } from '../room/pager';
import { shortId } from '../room/short-id';
import s from './overview.module.css';
import { TEXTS } from './texts';
import { usePausedNodes } from './use-overview';

interface PausedNodesProps {
  id: string;
  /** The outage as it is written: its heading. */
  when: string;
  /** ISO 8601. */
  from: string;
  to: string;
}

/** Whose lease ended in an outage, the latest first, page by page. */
export function PausedNodes({ id, when, from, to }: PausedNodesProps) {
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
      cell: ({ userId }) => (
        <Link href={`?${new URLSearchParams({ tab: 'admin', view: 'users', user: userId })}`}>{shortId(userId)}</Link>
      ),
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
