import type { StrandAdds } from '@cord/contracts/drawing/strands';
import type { EpochRow } from '@cord/contracts/events/rewards';
import { rankCardRpc } from '@cord/contracts/rpc/rank';
import { codeOwnerRpc } from '@cord/contracts/rpc/referral';
import { dayKey } from '@cord/contracts/rules/days';
import { strands } from '@cord/contracts/rules/rate';
import type { Clock } from '@cord/kit/clock';
import type { Nats } from '@cord/kit/nats';
import type { Rules } from '@cord/kit/rules';
import type { InviteCard, RankCard } from './card.js';

/** Requests the content of cards from the owning services: public data only. */
export type CardFacts = ReturnType<typeof createCardFacts>;

export function createCardFacts(deps: {
  nats: Pick<Nats, 'request'>;
  clock: Pick<Clock, 'now'>;
  rules: Pick<Rules, 'book'>;
  /** Returns the last published table of epochs. */
  epochs(): Promise<readonly EpochRow[]>;
}) {
  const { nats, clock, rules, epochs } = deps;

  /** Returns the public factors of the rate; the reduction by the network check is not public. */
  const addsOf = async (tierHundredths: number, badge: boolean): Promise<StrandAdds> => {
    const nowMs = clock.now();
    const epoch = (await epochs()).find(({ startAt, endAt }) => startAt <= nowMs && nowMs < endAt);
    const epochHundredths = BigInt(epoch?.multiplierHundredths ?? 100);
    const factors = { tierHundredths: BigInt(tierHundredths), antiCheatHundredths: 100n, badge, epochHundredths };
    return Object.fromEntries(strands(rules.book(nowMs), factors).map(({ key, addsNano }) => [key, Number(addsNano)]));
  };

  const ofRank = async (userId: string, period: RankCard['period']): Promise<RankCard | null> => {
    const known = await nats.request(rankCardRpc, { userId, period });
    if (!known) return null;
    const { username, rank, miners, earnedMicro, accountAge, tierHundredths, badge } = known;
    const adds = await addsOf(tierHundredths, badge);
    const figures = { rank, miners, earnedMicro, accountAge, multiplierHundredths: tierHundredths };
    return { kind: 'rank', userId, name: username, adds, period, ...figures, day: dayKey(clock.now()) };
  };

  return {
    /** @returns null for a user who is not, or no longer, in the rankings @throws Problem 503 */
    ofRank,
    /** @returns null for a code without a user @throws Problem 503 without a response */
    async ofInvite(code: string): Promise<InviteCard | null> {
      const { userId } = await nats.request(codeOwnerRpc, { code });
      const owner = userId === null ? null : await ofRank(userId, 'all-time');
      return owner && { kind: 'invite', name: owner.name, adds: owner.adds, code };
    },
  };
}
