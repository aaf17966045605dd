import { accountRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { rateNano } from '@cord/contracts/rules/rate';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { Nats } from '@cord/kit/nats';
import { restingAccount } from '@cord/kit/testing/account-state';
import { serveTestLedger, type TestLedger } from '@cord/kit/testing/ledger';
import type { z } from 'zod';

/** A test ledger for auth: accounts open once, and credits require an account. */
export function serveLedger(nats: Nats): TestLedger {
  /** Creation of the Discord account by user, ms since epoch. */
  const accounts = new Map<string, number>();
  const ledger = serveTestLedger(
    nats,
    'auth',
    () => 0,
    (userId) => accounts.has(userId),
  );
  const serving = [
    nats.serve(openAccount, async ({ userId, discordCreatedAt }) => {
      const created = !accounts.has(userId);
      if (created) accounts.set(userId, discordCreatedAt);
      return { seq: '1', created };
    }),
    nats.serve(accountRpc, async ({ userId }) => {
      const createdAtMs = accounts.get(userId);
      return createdAtMs === undefined ? null : reply(userId, createdAtMs, ledger);
    }),
  ];
  const stop = async () => void (await Promise.all([...serving, ledger].map((one) => one.stop())));
  return { ...ledger, stop };
}

function reply(userId: string, discordCreatedAt: number, ledger: TestLedger): z.input<typeof accountRpc.reply> {
  const balance = ledger.balanceMicro(userId).toString();
  const tier = tierHundredths(FIRST_BOOK, Date.now() - discordCreatedAt);
  const factors = { tierHundredths: tier, antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
  return {
    userId,
    seq: String(1 + ledger.credits.length),
    erased: false,
    ...restingAccount({ balance, bySource: { welcome: balance } }),
    factors: {
      discordCreatedAt,
      tierHundredths: Number(tier),
      antiCheatHundredths: 100,
      badge: false,
      epochHundredths: 100,
      rateNano: rateNano(FIRST_BOOK, factors).toString(),
    },
  };
}
