import type { ServiceName } from '@cord/contracts/endpoint';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import {
  accrueCommissionRpc,
  COMMISSION_STEP_MICRO,
  type CreditRequest,
  creditRpc,
  EARNINGS_MAX,
  ERASED_USER,
  earningsRpc,
  rulesRpc,
} from '@cord/contracts/rpc/ledger';
import { FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import type { Consuming } from '../nats/consume.js';
import type { Nats } from '../nats.js';
import { conflict, notFound, refused, unavailable } from '../problem.js';

/** A stand-in ledger for tests of one service: a key credits once, and another amount under it is refused. */
export interface TestLedger extends Consuming {
  /** Every credit in order; each commission step is one, under its own key. One without a time is listed as of now. */
  credits: (CreditRequest & { atMs?: number })[];
  balanceMicro(userId: string): bigint;
  /** Users whose credits are refused. */
  erased: Set<string>;
  /** While true, requests get 503. */
  down: boolean;
  /** The rule books in force. */
  books: readonly RuleBook[];
}

/**
 * Serves the caller's credit requests from memory.
 * @param isOpen whether a user has an account; default: every user
 */
export function serveTestLedger(
  nats: Nats,
  caller: ServiceName,
  nowMs: () => number,
  isOpen: (userId: string) => boolean = () => true,
): TestLedger {
  const credits: TestLedger['credits'] = [];
  const balanceMicro = (userId: string) =>
    credits.filter((each) => each.userId === userId).reduce((sum, each) => sum + BigInt(each.amountMicro), 0n);
  const serving = nats.serve(creditRpc(caller), async (request) => {
    if (ledger.down) throw unavailable('ledger-down', 'The ledger is down', 1);
    if (!isOpen(request.userId)) throw refused('unknown-user', 'There is no account');
    if (MANIFESTS[caller].credits?.[request.source] === undefined)
      throw refused('source-not-allowed', 'Not this source');
    const known = credits.find((each) => each.key === request.key);
    if (known && known.amountMicro !== request.amountMicro)
      throw conflict('key-reused', 'Another amount under this key');
    if (!known) credits.push(request);
    return {
      key: request.key,
      replayed: known !== undefined,
      amountMicro: request.amountMicro,
      balanceMicro: balanceMicro(request.userId).toString(),
      seq: String(credits.length),
      at: nowMs(),
    };
  });
  const commissionOf = (userId: string) =>
    credits.reduce(
      (sum, each) => (each.userId === userId && each.source === 'commission' ? sum + BigInt(each.amountMicro) : sum),
      0n,
    );
  const ruling = nats.serve(rulesRpc, async () => {
    if (ledger.down) throw unavailable('ledger-down', 'The ledger is down', 1);
    return { version: '1', books: [...ledger.books] };
  });
  const accruing = nats.serve(accrueCommissionRpc, async ({ userId, totalMicro }) => {
    if (ledger.down) throw unavailable('ledger-down', 'The ledger is down', 1);
    if (ledger.erased.has(userId)) throw notFound(ERASED_USER, 'This user was erased');
    const dueMicro = BigInt(totalMicro) - commissionOf(userId);
    if (dueMicro > 0n) {
      const amountMicro = (dueMicro < COMMISSION_STEP_MICRO ? dueMicro : COMMISSION_STEP_MICRO).toString();
      const key = `commission:${userId}:report:${credits.length}`;
      credits.push({ userId, key, source: 'commission', amountMicro, reason: '' });
    }
    return {
      totalMicro: commissionOf(userId).toString(),
      balanceMicro: balanceMicro(userId).toString(),
      seq: String(credits.length),
    };
  });
  const listing = nats.serve(earningsRpc, async ({ userId, sources, sinceMs }) => {
    const found = credits
      .map((each) => ({ ...each, atMs: each.atMs ?? nowMs() }))
      .filter((each) => each.userId === userId && sources.includes(each.source) && each.atMs >= sinceMs);
    const newest = found.slice(-EARNINGS_MAX).reverse();
    return {
      earnings: newest.map(({ atMs, source, amountMicro }) => ({ at: atMs, source, amountMicro })),
      totalMicro: found.reduce((sum, { amountMicro }) => sum + BigInt(amountMicro), 0n).toString(),
    };
  });
  const all = [serving, ruling, accruing, listing];
  const ledger: TestLedger = {
    credits,
    balanceMicro,
    erased: new Set(),
    down: false,
    books: FIRST_BOOKS,
    stop: async () => void (await Promise.all(all.map((each) => each.stop()))),
  };
  return ledger;
}
