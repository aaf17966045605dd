import { rateNano } from '@cord/contracts/rules/rate';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { AccountDoc, EpochsDoc } from '../../../services/mining/store/collections.js';

const PLAIN_HUNDREDTHS = 100;
/** Nano-CORD milliseconds a minute in one micro-CORD. */
const UNIT = 60_000_000n;

/** The largest multiplier that the table of epochs has, x 100; at least x1, which holds between epochs. */
export function highestEpoch(table: EpochsDoc | null): bigint {
  return BigInt(
    Math.max(PLAIN_HUNDREDTHS, ...(table?.epochs ?? []).map((epoch) => Number(epoch.multiplierHundredths))),
  );
}

/**
 * The most that a node of this account can have mined in some node time that ended by then, micro-CORD: its tier, its badge, no penalty, and
 * the best epoch there is.
 */
export function mostMined(account: AccountDoc, ranMs: number, untilMs: number, epochHundredths: bigint): bigint {
  const { discordCreatedAtMs, badge } = account.factors;
  const tier = tierHundredths(untilMs - discordCreatedAtMs);
  const rate = rateNano({ tierHundredths: tier, antiCheatHundredths: 100n, badge, epochHundredths });
  // What the stretch before left over may come with it.
  return (rate * BigInt(Math.ceil(ranMs))) / UNIT + 1n;
}
