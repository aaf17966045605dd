import { accountRpc, creditRpc, openAccount, rulesRpc } from '@cord/contracts/rpc/ledger';
import { rateNano } from '@cord/contracts/rules/rate';
import { FIRST_BOOK, FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import { conflict, refused } from '@cord/kit/problem';
import { restingAccount } from '@cord/kit/testing/account-state';
import type { z } from 'zod';

/** What auth meets of the ledger: accounts that open once and credits that count once. */
export interface TestLedger {
  accounts: Map<string, { discordCreatedAt: number; balanceMicro: bigint; seq: number }>;
  /** Credits by key. */
  credits: Map<string, bigint>;
  /** How often a credit was requested, replays included. */
  requests: number;
  stop(): Promise<void>;
}

/** Answers the ledger's requests from memory, with its rules: unknown users are refused, a key has one amount. */
export function serveLedger(nats: Nats): TestLedger {
  const accounts: TestLedger['accounts'] = new Map();
  const credits: TestLedger['credits'] = new Map();
  const serving: Consuming[] = [
    nats.serve(openAccount, async ({ userId, discordCreatedAt }) => {
      const created = !accounts.has(userId);
      if (created) accounts.set(userId, { discordCreatedAt, balanceMicro: 0n, seq: 1 });
      return { seq: '1', created };
    }),
    nats.serve(creditRpc('auth'), async ({ userId, key, amountMicro }) => {
      ledger.requests += 1;
      const account = accounts.get(userId);
      if (!account) throw refused('unknown-user', 'There is no account');
      const amount = BigInt(amountMicro);
      const known = credits.get(key);
      if (known !== undefined && known !== amount) throw conflict('key-reused', 'Another amount under this key');
      if (known === undefined) {
        credits.set(key, amount);
        account.balanceMicro += amount;
        account.seq += 1;
      }
      const { balanceMicro, seq } = account;
      const state = { balanceMicro: balanceMicro.toString(), seq: String(seq), at: 0 };
      return { key, replayed: known !== undefined, amountMicro, ...state };
    }),
    nats.serve(rulesRpc, async () => ({ version: '1', books: [...FIRST_BOOKS] })),
    nats.serve(accountRpc, async ({ userId }) => {
      const account = accounts.get(userId);
      return account ? reply(userId, account) : null;
    }),
  ];
  const ledger: TestLedger = {
    accounts,
    credits,
    requests: 0,
    stop: async () => {
      await Promise.all(serving.splice(0).map((one) => one.stop()));
    },
  };
  return ledger;
}

type Account = TestLedger['accounts'] extends Map<string, infer A> ? A : never;

function reply(userId: string, account: Account): z.input<typeof accountRpc.reply> {
  const balance = account.balanceMicro.toString();
  const tier = tierHundredths(FIRST_BOOK, Date.now() - account.discordCreatedAt);
  const factors = { tierHundredths: tier, antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
  return {
    userId,
    seq: String(account.seq),
    erased: false,
    ...restingAccount({ balance, bySource: { welcome: balance } }),
    factors: {
      discordCreatedAt: account.discordCreatedAt,
      tierHundredths: Number(tier),
      antiCheatHundredths: 100,
      badge: false,
      epochHundredths: 100,
      rateNano: rateNano(FIRST_BOOK, factors).toString(),
    },
  };
}
