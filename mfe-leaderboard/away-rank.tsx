import { isUnread, type PartProps, useQuery, useSdk, useTexts, withNodes } from '@cord/sdk';
import { Cell, formatRank, WhyNumber } from '@cord/ui';
import { Fragment, type ReactNode } from 'react';
import { fetchRank, type Ranked } from './ranked-since';
import { AWAY_TEXTS } from './texts';

/** Reserves the line of a hint that is loading. */
const ROOM = '\u00a0';

/** The rank after an absence, and who has passed the user. */
export function AwayRank({ away }: PartProps) {
  const t = useTexts(AWAY_TEXTS);
  const sdk = useSdk();
  const read = useQuery({
    queryKey: ['away', away?.before.userId, away?.backMs, 'rank'],
    queryFn: ({ signal }) => (away === undefined ? null : fetchRank(sdk, away, signal)),
    // The absence is over, so the result never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  /** Undefined while loading, null while unranked or unknown. */
  const rank = isUnread(read) ? null : read.data;
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

/** Describes who has passed the user, or the change of the rank; null when the earlier rank is unknown. */
function placesText({ now, was, passed, names }: Ranked): ReactNode {
  const t = AWAY_TEXTS.get();
  if (was === null) return null;
  if (names.length > 0) {
    const list = { names: '{names}', count: passed - names.length };
    const text = passed > names.length ? t.passedByAndMore(list) : t.passedBy(list);
    // Isolated one by one: a list that begins with a right-to-left name would be reversed.
    const each = names.map((name, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and each keeps its place
      <Fragment key={at}>
        {at > 0 && ', '}
        <bdi>{name}</bdi>
      </Fragment>
    ));
    return withNodes(text, { names: each });
  }
  if (passed > 0) return t.passedByMany({ count: passed });
  return now < was ? t.up({ count: was - now }) : t.same;
}
