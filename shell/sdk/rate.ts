import type { Epoch } from '@cord/contracts/http/epochs';
import type { MiningSession } from '@cord/contracts/http/mining';
import type { User } from '@cord/contracts/http/users';
import { type RateFactors, rateNano, rateToNumber, type Strand, strands } from '@cord/contracts/rules/rate';
import { factorsOf, type PublishedRate } from '@cord/contracts/rules/rate-then';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { useCurrentEpoch } from './epoch';
import { useMiningSession, useSessionValue } from './node';
import { useRateNow, useServerRate } from './rate-query';
import { useRuleBook } from './rules';

/** One factor of a rate. */
export interface RateStrand {
  key: Strand['key'];
  /** For example 3.5; 1 for the base. */
  factor: number;
  /** CORD per minute; negative for a penalty of the network check. */
  adds: number;
  /** Whether it changes the rate; the base always counts. */
  active: boolean;
}

/** A rate with all its factors. */
export interface Rate {
  /** CORD per minute. */
  perMinute: number;
  /** Product of all factors. */
  factor: number;
  strands: RateStrand[];
  /** Whether it includes the badge of honor. */
  badge: boolean;
  /** CORD per minute of each factor before any penalty: the strands of the cord. */
  adds: { base: number; age: number; epoch: number; badge: number };
}

interface RateSource {
  /** The node's session. Its own factors apply while it runs; without one or paused, those of a new start. */
  session: MiningSession | null;
  /** Rate of a node started now, from the server. */
  serverRate?: Pick<PublishedRate, 'factors'> | null;
  user: User;
  /** The rule book in force. */
  book: RuleBook;
  /** Null when there is none or it is unknown. */
  epoch: Pick<Epoch, 'rewardsMultiplier'> | null;
}

/** Returns the rate function of the contracts as a list (services/mining/ledger/README.md#accrual). */
export function rateOf({ session, serverRate = null, user, book, epoch }: RateSource): Rate {
  const running = session?.status === 'active' ? session : serverRate;
  const factors = running === null ? factorsOfUser(book, user, epoch) : factorsOf(running.factors);
  const laid = strands(book, factors).map(({ key, hundredths: times, addsNano }) => ({
    key,
    factor: Number(times) / 100,
    adds: rateToNumber(addsNano),
    active: key === 'base' || times !== 100n,
  }));
  const perMinute = rateToNumber(rateNano(book, factors));
  const add = (key: Strand['key']) => Math.max(0, laid.find((each) => each.key === key)?.adds ?? 0);
  return {
    perMinute,
    factor: perMinute / rateToNumber(BigInt(book.baseNano)),
    strands: laid,
    badge: factors.badge,
    adds: { base: add('base'), age: add('age'), epoch: add('epoch'), badge: add('badge') },
  };
}

/**
 * Returns the rate shown and explained everywhere: of the running node, or of one that would start now, also while
 * paused. Null until the server has sent it.
 */
export function useRate(): Rate | null {
  const session = useRateNow(useMiningSession());
  const serverRate = useRateNow(useServerRate());
  const user = useSessionValue(({ user }) => user);
  const { data: epoch = null } = useCurrentEpoch();
  const book = useRuleBook();
  if (user === null || (session?.status !== 'active' && serverRate === null && user.rate === null)) return null;
  return rateOf({ session, serverRate, user, book, epoch });
}

/** Returns the factors of a node of this user. An unknown epoch is derived from the rate in the record. */
function factorsOfUser(book: RuleBook, user: User, epoch: RateSource['epoch']): RateFactors {
  const own = { tier: user.multiplier, antiCheat: user.efficiencyMultiplier, badge: user.hasbadgeofhonor };
  const without = rateToNumber(rateNano(book, factorsOf({ ...own, epoch: 1 })));
  const left = user.rate === null || without === 0 ? 1 : user.rate / without;
  return factorsOf({ ...own, epoch: epoch?.rewardsMultiplier ?? left });
}
