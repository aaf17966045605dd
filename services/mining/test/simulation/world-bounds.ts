import { STATE_PLACES_MAX, STATE_TRIES_MAX } from '@cord/kit/bounds';
import type { Chance } from '@cord/kit/testing/simulation/random';
import { LEDGER_BOUNDS, type LedgerBounds, OUTBOX_LEAST } from '../../ledger/bounds.js';

/** Bounds of the ledger, the state publisher and the sweeper. */
export interface WorldBounds extends LedgerBounds {
  /** Maximum tries of one announcement to find its position in the stream. */
  readonly announceTries: number;
  /** Maximum number of users whose position in the stream is cached. */
  readonly places: number;
  /** Maximum number of accounts per sweep. */
  readonly sweepBatch: number;
  /** Minimum age of waiting work for the sweep, ms; younger work is left to the replica that wrote it. */
  readonly sweepOlderThanMs: number;
}

/** As in the running service, but with a cache so small that accounts evict each other. */
export const USUAL_BOUNDS: WorldBounds = {
  ...LEDGER_BOUNDS,
  cached: 2,
  announceTries: STATE_TRIES_MAX,
  places: STATE_PLACES_MAX,
  sweepBatch: 256,
  sweepOlderThanMs: 5_000,
};

/** The smallest bounds with which the ledger still works. */
export const LEAST_BOUNDS: WorldBounds = {
  tries: 1,
  waiting: 1,
  cached: 1,
  unwrittenMs: 0,
  relayRounds: 1,
  looked: 1,
  announceTries: 1,
  places: 1,
  outbox: OUTBOX_LEAST,
  epochsAgeMs: 0,
  dayLimits: {
    ...LEDGER_BOUNDS.dayLimits,
    task: { credits: 2, micro: 20_000_000n },
    refwelcome: { credits: 1, micro: 3_000_000n },
    correction: { credits: 1, micro: 10_000_000n },
  },
  sweepBatch: 1,
  sweepOlderThanMs: 0,
};

/** Picks each bound at random: usual or smallest. */
export function anyBounds(chance: Chance): WorldBounds {
  const names = Object.keys(USUAL_BOUNDS) as (keyof WorldBounds)[];
  const chosen = names.map((name) => [name, (chance.oneIn(2) ? LEAST_BOUNDS : USUAL_BOUNDS)[name]]);
  return Object.fromEntries(chosen) as unknown as WorldBounds;
}
