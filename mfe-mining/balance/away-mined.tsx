import { formatWhen, isUnread, type PartProps, useMiningSession, useQuery, useSdk, useTexts } from '@cord/sdk';
import { Cell, formatCord, UNKNOWN, WhyNumber } from '@cord/ui';
import { fetchMined } from './mined-since';
import { AWAY_TEXTS } from './texts';

/** Reserves the line of a hint that is loading. */
const ROOM = '\u00a0';

/** What was mined during an absence, and the node's state. */
export function AwayMined({ away }: PartProps) {
  const t = useTexts(AWAY_TEXTS);
  const sdk = useSdk();
  const read = useQuery({
    queryKey: ['away', away?.before.userId, away?.backMs, 'mined'],
    queryFn: ({ signal }) => (away === undefined ? null : fetchMined(sdk, away, signal)),
    // The absence is over, so the result never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  /** Undefined while loading, null when unknown. */
  const mined = isUnread(read) ? null : read.data;
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

function NodeHint() {
  const t = useTexts(AWAY_TEXTS);
  const { clock } = useSdk();
  const node = useMiningSession();
  if (node === undefined) return ROOM;
  if (node?.status === 'active') return t.nodeRuns;
  if (node?.status !== 'paused') return t.nodeIdle;
  return t.nodePaused({ time: formatWhen(Date.parse(node.creditedUntil), clock.now()) });
}
