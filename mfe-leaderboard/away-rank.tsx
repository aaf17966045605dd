import { type PartProps, useQuery, useSdk, useTexts } from '@cord/sdk';
import { Cell, formatRank, WhyNumber } from '@cord/ui';
import { fetchRank, type Ranked } from './ranked-since';
import { AWAY_TEXTS } from './texts';

/** Keeps the line of a hint that is still to come. */
const ROOM = '\u00a0';

/** The rank of somebody who was away, and who passed meanwhile. */
export function AwayRank({ away }: PartProps) {
  const t = useTexts(AWAY_TEXTS);
  const sdk = useSdk();
  const { data, isError } = useQuery({
    queryKey: ['away', away?.before.userId, away?.backMs, 'rank'],
    queryFn: ({ signal }) => (away === undefined ? null : fetchRank(sdk, away, signal)),
    // It is about a time that is over.
    staleTime: Number.POSITIVE_INFINITY,
  });
  /** Undefined while it is fetched, null while unranked or not known. */
  const rank = isError ? null : data;
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
