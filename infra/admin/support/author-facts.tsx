import { Loaded, useTexts } from '@cord/sdk';
import { Card, formatAge, formatCord, formatMultiplier, formatRate, Skeleton, UNKNOWN } from '@cord/ui';
import { levelNameOf, rateIfClear } from '../network/changes';
import { TEXTS as NETWORK_TEXTS } from '../network/texts';
import type { useAccount } from '../network/use-network';
import { type FactLine, Facts } from '../room/facts';
import { dayOfYear } from '../room/moments';
import { TEXTS } from './texts';

type Author = NonNullable<ReturnType<typeof useAccount>['data']>;

/** Who has written, as far as it bears on an answer. */
export function AuthorFacts({ author, name }: { author: ReturnType<typeof useAccount>; name: string }) {
  const t = useTexts(TEXTS);
  return (
    <Card title={name}>
      <Loaded query={author} failed={t.userFailed} loading={<Skeleton height={200} />}>
        {(known) => known && <Known author={known} />}
      </Loaded>
    </Card>
  );
}

/** The record that an operator gets is a user's own; it may come from a newer service, so each part is looked at. */
function Known({ author }: { author: Author }) {
  const t = useTexts(TEXTS);
  const network = useTexts(NETWORK_TEXTS);
  const { anticheat } = author;
  const number = (field: string) => (typeof author[field] === 'number' ? author[field] : null);
  const rate = number('rate');
  const factor = anticheat.efficiencyMultiplier;
  const joined = typeof author.join_date === 'string' ? dayOfYear(author.join_date) : UNKNOWN;
  const cases = Array.isArray(author.support) ? author.support.length - 1 : null;
  const facts: FactLine[] = [
    [t.level, t.levelAt({ level: levelNameOf(network, anticheat), factor: formatMultiplier(factor) })],
    [t.rateNow, formatRate(rate)],
    [t.rateIfClear, formatRate(rateIfClear(author))],
    [t.accountAge, formatAge(number('account_age'))],
    [t.balance, formatCord(number('current_balance'))],
    [t.joined, joined],
    [t.badge, author.hasbadgeofhonor === true ? t.badgeHeld : t.badgeNone],
    [t.before, cases === null ? UNKNOWN : String(Math.max(0, cases))],
  ];
  return <Facts facts={facts} />;
}
