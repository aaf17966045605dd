import { miningEndpoints as endpoints } from '@cord/contracts/http/mining';
import { microToNumber, microToString } from '@cord/contracts/rules/money';
import { TEXTS } from '@cord/contracts/texts';
import type { Http } from '@cord/kit/http';
import { pageOf } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { Account, Entry } from '../ledger/account.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Reads } from '../store/reads.js';
import { ledgerEntry } from './present.js';

const SEQ_MAX = 2n ** 63n - 1n;

/** The entries behind the balance, newest first; `open` is mining and commission that are credited and not an entry yet. */
export function mountLedger(http: Http, ledger: Ledger, reads: Reads): void {
  http.route(endpoints.ledger, async ({ user, query }) => {
    const account = await ledger.read(user.id);
    if (!account) throw notFound('unknown-user', TEXTS.userNotFound);
    const cursor = query.cursor === undefined ? null : BigInt(query.cursor);
    const belowSeq = cursor === null || cursor > SEQ_MAX ? null : cursor;
    // The outbox was read before the entries, so that one that moves in between is found twice, never missed.
    const written = await reads.entries(user.id, belowSeq, query.limit + 1);
    const entries = newestFirst([...waiting(account, belowSeq), ...written]);
    const { shown, nextCursor } = pageOf(entries, query.limit, (last) => microToString(last.seq));
    return {
      entries: shown.map(ledgerEntry),
      open: microToNumber(account.open.amountMicro + account.openCommission.amountMicro),
      nextCursor,
    };
  });
}

function waiting(account: Account, belowSeq: bigint | null): Entry[] {
  const entries = account.outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
  return belowSeq === null ? entries : entries.filter((entry) => entry.seq < belowSeq);
}

function newestFirst(entries: readonly Entry[]): Entry[] {
  const once = new Map(entries.map((entry) => [entry.key, entry]));
  return [...once.values()].sort((a, b) => (a.seq > b.seq ? -1 : 1));
}
