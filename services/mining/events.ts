import type { EventOf } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import { microFromString } from '@cord/contracts/rules/money';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, consumeEach, on } from '@cord/kit/nats/consume';
import type { Kit } from '@cord/kit/service';
import { antiCheatStep, badgeStep, eraseStep } from './ledger/factors.js';
import type { Ledger } from './ledger/ledger.js';
import { withProblems } from './problems.js';

const consumed = READS.mining;
/** An erased user has no stored birthday, ms since epoch. */
const NOBODYS_BIRTHDAY_MS = 0;

/** Opens the account of a registered user. An existing account, open or erased, does not change. */
export async function openRegistered(
  ledger: Pick<Ledger, 'open'>,
  { userId, discordCreatedAt, joinedAt }: EventOf<typeof consumed.userRegistered>,
): Promise<void> {
  await ledger.open(userId, discordCreatedAt, joinedAt);
}

/** Consumes events of other services, shared among the replicas. Every handler may run twice and out of order. */
export function listen(nats: Pick<Nats, 'consume'>, ledger: Ledger, erase: Kit['erase']): Consuming[] {
  return consumeEach(nats, [
    on(consumed.badgePurchased, async ({ userId }) => {
      await withProblems(() => ledger.change(userId, badgeStep));
    }),
    // Sign-in opens the account by request; this event repairs it when that response was lost.
    on(consumed.userRegistered, (registered) => openRegistered(ledger, registered)),
    on(consumed.anticheatAssessed, async ({ userId, seq, factorHundredths }) => {
      const step = (...[account, at]: Parameters<typeof badgeStep>) =>
        antiCheatStep(account, microFromString(seq), BigInt(factorHundredths), at);
      await withProblems(() => ledger.change(userId, step));
    }),
    on(consumed.userErased, async ({ userId }) => {
      // Without an account, one is opened and closed: a late `user.registered` cannot reopen it, and credits are refused for good.
      await ledger.open(userId, NOBODYS_BIRTHDAY_MS);
      await withProblems(() => ledger.change(userId, eraseStep));
      await ledger.relayed(userId);
      await erase(userId);
    }),
  ]);
}
