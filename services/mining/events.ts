import { balanceChanged } from '@cord/contracts/events/balance';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { READS } from '@cord/contracts/events/reads';
import { microFromString } from '@cord/contracts/rules/money';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import { purgeUserEvents } from '@cord/kit/purge';
import type { Corrections } from './corrections.js';
import type { EpochTimes } from './ledger/epochs.js';
import type { EpochsInUse } from './ledger/epochs-in-use.js';
import { antiCheatStep, badgeStep, eraseStep } from './ledger/factors.js';
import type { Ledger } from './ledger/ledger.js';
import { withProblems } from './problems.js';
import type { Reads } from './store/reads.js';

const heard = READS.mining;
/** Of who was erased nothing is kept, ms since epoch. */
const NOBODYS_BIRTHDAY_MS = 0;

/** What mining hears of others, shared among its replicas. Every handler may run twice and out of order. */
export function listen(
  nats: Nats,
  ledger: Ledger,
  { reads, corrections }: { reads: Reads; corrections: Pick<Corrections, 'erase'> },
  epochs: EpochsInUse,
): Consuming[] {
  const rewards = nats.consume({
    stream: 'CORD_REWARDS',
    handlers: [
      on(heard.badgePurchased, async ({ userId }, { cause }) => {
        await withProblems(() => ledger.change(userId, badgeStep, cause));
      }),
      on(heard.epochChanged, async (event) => {
        const version = microFromString(event.seq);
        epochs.offer(version, event.epochs);
        await reads.saveEpochs({ _id: 'table', version, epochs: event.epochs.map(timesOf) });
      }),
    ],
  });
  const users = nats.consume({
    stream: 'CORD_USERS',
    handlers: [
      // Sign-in opens the account by request; this makes it up where that answer was lost.
      on(heard.userRegistered, async ({ userId, discordCreatedAt, joinedAt }, { cause }) => {
        await ledger.open(userId, discordCreatedAt, cause, joinedAt);
      }),
      on(heard.anticheatAssessed, async ({ userId, seq, factorHundredths }, { cause }) => {
        const step = (...[account, at]: Parameters<typeof badgeStep>) =>
          antiCheatStep(account, microFromString(seq), BigInt(factorHundredths), at);
        await withProblems(() => ledger.change(userId, step, cause));
      }),
      on(heard.userErased, async ({ userId }, { cause }) => {
        // Where no account was open yet it opens closed, so that a late `user.registered` cannot open it, and credits are refused for good.
        await ledger.open(userId, NOBODYS_BIRTHDAY_MS, cause);
        await withProblems(() => ledger.change(userId, eraseStep, cause));
        await ledger.flush();
        await reads.eraseSessions(userId);
        await corrections.erase(userId);
        await purgeUserEvents(nats, [balanceChanged, nodeStarted, nodePaused, nodeStopped], userId);
      }),
    ],
  });
  return [rewards, users];
}

/** Keeps this replica's epoch table up: the stored one first, then every change. Resolves when it has caught up. */
export async function followEpochs(nats: Nats, reads: Reads, epochs: EpochsInUse): Promise<Consuming> {
  const stored = await reads.epochs();
  if (stored) epochs.offer(stored.version, stored.epochs);
  const following = nats.orderedConsume({
    stream: 'CORD_REWARDS',
    handlers: [
      on(heard.epochChanged, async (event) => {
        epochs.offer(microFromString(event.seq), event.epochs);
      }),
    ],
  });
  await following.caughtUp;
  return following;
}

/** What is stored of an epoch. */
function timesOf({ id, name, multiplierHundredths, startAt, endAt }: EpochTimes) {
  return { id, name, multiplierHundredths, startAt, endAt };
}
