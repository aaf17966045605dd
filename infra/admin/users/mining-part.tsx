import type { MiningSession } from '@cord/contracts/http/mining';
import { useTexts } from '@cord/sdk';
import { type Column, formatCord, formatPercent, formatRate, Row, StatusDot, UNKNOWN } from '@cord/ui';
import { useMoments } from '../room/moments';
import { Foot, usePages } from '../room/pager';
import { PartOf } from './part';
import { TEXTS } from './texts';
import { useUserMining } from './use-users';

/** When the node ran, the newest first, page by page. */
export function MiningPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const columns = useColumns();
  const pages = usePages();
  const mining = useUserMining(userId, pages.cursor);
  return (
    <PartOf
      query={mining}
      failed={t.miningFailed}
      caption={t['part.mining']}
      columns={columns}
      rowsOf={({ sessions }) => sessions}
      rowKey={({ id }) => id}
      empty={{ title: t.noMining, text: t.noMiningText }}
      foot={({ nextCursor }) => <Foot pages={pages} nextCursor={nextCursor} next={t.olderSessions} />}
    />
  );
}

function useColumns(): Column<MiningSession>[] {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  return [
    { key: 'began', head: t.began, names: true, cell: ({ startedAt }) => minute(startedAt) },
    {
      key: 'ended',
      head: t.ended,
      from: 768,
      cell: ({ endedAt }) => (endedAt === null ? UNKNOWN : minute(endedAt)),
    },
    {
      key: 'state',
      head: t.state,
      cell: ({ status }) => (
        <Row as="span" inline gap={6} align="center">
          {status === 'active' && <StatusDot tone="live" />}
          {t[`mining.${status}`]}
        </Row>
      ),
    },
    { key: 'rate', head: t.rate, align: 'right', from: 1024, cell: ({ rate }) => formatRate(rate) },
    {
      key: 'efficiency',
      head: t.efficiency,
      align: 'right',
      from: 1024,
      cell: ({ efficiency }) => formatPercent(efficiency),
    },
    { key: 'credited', head: t.credited, align: 'right', cell: ({ earnings }) => `+${formatCord(earnings)}` },
  ];
}
