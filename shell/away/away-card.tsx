import { formatWhen, type Sdk, useMiningSession, useQuery, useSdk, useTexts } from '@cord/sdk';
import { Card, Cell, Cells, formatCord, formatRank, formatSpan, IconButton, UNKNOWN, WhyNumber } from '@cord/ui';
import { X } from 'lucide-react';
import { type Away, awayOf } from '../session/use-away';
import s from './away-card.module.css';
import { askMined, askRank, type Mined, type Ranked } from './meanwhile';
import { AWAY_TEXTS } from './texts';
import { Waiting } from './waiting';

/** Keeps the line of a hint that is still to come. */
const ROOM = '\u00a0';

/** What came while the user was away: once, until it is dismissed or the page goes. */
export function AwayCard({ away }: { away: Away }) {
  const t = useTexts(AWAY_TEXTS);
  const sdk = useSdk();
  const { before, backMs } = away;
  const mined = useAsked('mined', away, askMined);
  const rank = useAsked('rank', away, askRank);
  const dismiss = () => {
    awayOf(sdk).set(null);
    // The button goes; who came by keyboard goes on from the page.
    document.getElementById('page')?.focus({ preventScroll: true });
  };
  return (
    <Card
      padding="none"
      className={s.card}
      data-testid="away"
      aria-label={t.title}
      title={t.title}
      aside={<IconButton className={s.close} label={t.dismiss} icon={<X />} onClick={dismiss} />}
    >
      <p className={s.span}>
        {t.span({ span: formatSpan(backMs - before.atMs), time: formatWhen(before.atMs, backMs) })}
      </p>
      <Cells columns={2} phoneColumns={2} inset className={s.cells}>
        <MinedCell mined={mined} />
        <RankCell rank={rank} />
      </Cells>
      <Waiting userId={before.userId} />
    </Card>
  );
}

/** An answer about the absence: undefined while it is asked for, null where it did not come. */
function useAsked<T>(
  what: string,
  away: Away,
  ask: (sdk: Pick<Sdk, 'api'>, away: Away, signal: AbortSignal) => Promise<T>,
): T | null | undefined {
  const sdk = useSdk();
  const { data, isError } = useQuery({
    queryKey: ['away', away.before.userId, away.backMs, what],
    queryFn: ({ signal }) => ask(sdk, away, signal),
    // It tells of a time that is over.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isError ? null : data;
}

/** @param mined undefined while it is asked for, null where it is not known */
function MinedCell({ mined }: { mined: Mined | null | undefined }) {
  const t = useTexts(AWAY_TEXTS);
  const write = (micro: bigint) => formatCord(micro, { signed: true });
  return (
    <Cell
      label={t.mined}
      value={mined === undefined ? undefined : mined === null ? UNKNOWN : write(mined.micro)}
      unit={mined ? 'CORD' : undefined}
      hint={<NodeHint />}
      info={
        <WhyNumber
          about={t.mined}
          formula={t.whyMined}
          inputs={[
            ...(mined?.wentOnMicro == null ? [] : [{ label: t.whyWentOn, value: write(mined.wentOnMicro) }]),
            { label: t.whyBegun, value: mined ? write(mined.begunMicro) : UNKNOWN },
          ]}
        />
      }
      testId="away-mined"
      dataValue={mined ? Number(mined.micro) / 1e6 : undefined}
    />
  );
}

/** How the node stands now. */
function NodeHint() {
  const t = useTexts(AWAY_TEXTS);
  const { clock } = useSdk();
  const node = useMiningSession();
  if (node === undefined) return ROOM;
  if (node?.status === 'active') return t.nodeRuns;
  if (node?.status !== 'paused') return t.nodeIdle;
  return t.nodePaused({ time: formatWhen(Date.parse(node.creditedUntil), clock.now()) });
}

/** @param rank undefined while it is asked for, null while unranked or not known */
function RankCell({ rank }: { rank: Ranked | null | undefined }) {
  const t = useTexts(AWAY_TEXTS);
  return (
    <Cell
      label={t.rank}
      value={rank === undefined ? undefined : formatRank(rank?.now, t.unranked)}
      hint={rank === undefined ? ROOM : (rank && placesText(rank)) || undefined}
      info={
        <WhyNumber
          about={t.rank}
          formula={t.whyRank}
          inputs={[
            { label: t.whyThen, value: formatRank(rank?.was ?? undefined) },
            { label: t.whyNow, value: formatRank(rank?.now) },
          ]}
        />
      }
      testId="away-rank"
      dataValue={rank?.now}
    />
  );
}

/** By whom they were passed, or what else became of the place; nothing where it was not known. */
function placesText({ now, was, passed, names }: Ranked): string | null {
  const t = AWAY_TEXTS.get();
  if (was === null) return null;
  if (passed > names.length && names.length > 0) {
    return t.passedByAndMore({ names: names.join(', '), count: passed - names.length });
  }
  if (names.length > 0) return t.passedBy({ names: names.join(', ') });
  if (passed > 0) return t.passedByMany({ count: passed });
  return now < was ? t.up({ count: was - now }) : t.same;
}
