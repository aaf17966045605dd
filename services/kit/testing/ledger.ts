import type { ServiceName } from '@cord/contracts/endpoint';
import { type CreditRequest, creditRpc } from '@cord/contracts/rpc/ledger';
import type { Consuming } from '../nats/consume.js';
import type { Nats } from '../nats.js';
import { conflict, unavailable } from '../problem.js';

/** The ledger as its callers see it, for tests of one service alone: the same key credits once, another amount is refused. */
export interface TestLedger extends Consuming {
  /** Every credit that stands, in order. */
  credits: CreditRequest[];
  balanceMicro(userId: string): bigint;
  /** While down, requests are answered with 503. */
  down: boolean;
}

/** Answers the caller's credit requests from memory. */
export function serveTestLedger(nats: Nats, caller: ServiceName, nowMs: () => number): TestLedger {
  const credits: CreditRequest[] = [];
  const balanceMicro = (userId: string) =>
    credits.filter((each) => each.userId === userId).reduce((sum, each) => sum + BigInt(each.amountMicro), 0n);
  const serving = nats.serve(creditRpc(caller), async (request) => {
    if (ledger.down) throw unavailable('ledger-down', 'The ledger is down', 1);
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
  const ledger: TestLedger = { credits, balanceMicro, down: false, stop: () => serving.stop() };
  return ledger;
}
