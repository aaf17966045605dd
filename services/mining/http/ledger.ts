import type { QueryOf } from '@cord/contracts/endpoint';
import { adminEndpoints } from '@cord/contracts/http/admin';
import { miningEndpoints as endpoints } from '@cord/contracts/http/mining';
import { microToNumber, microToString } from '@cord/contracts/rules/money';
import { TEXTS } from '@cord/contracts/texts';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { pageOf } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { Account, Entry } from '../ledger/account.js';
import type { Ledger } from '../ledger/ledger.js';
import { entriesWaiting, newestFirst } from '../ledger/waiting.js';
import type { Reads } from '../store/reads.js';
import { ledgerEntry } from './present.js';

const SEQ_MAX = 2n ** 63n - 1n;

/**
 * The entries behind the balance, newest first; `open` is mining and commission that are credited and not an entry yet. An operator
 * sees anybody's, which is a line of the audit log: one for a look, however many pages it has.
 */
export function mountLedger(http: Http, ledger: Ledger, reads: Reads, audit: Pick<AuditLog, 'write'>): void {
  http.route(endpoints.ledger, ({ user, query }) => pageFor(user.id, query));

  http.route(adminEndpoints.ledger, async ({ user, params: { id }, query }) => {
    const page = await pageFor(id, query);
    if (query.cursor === undefined) {
      await audit.write({ adminId: user.id, action: 'user.looked-up', target: id, detail: { at: 'ledger' } });
    }
    return page;
  });

  async function pageFor(userId: string, query: QueryOf<typeof endpoints.ledger>) {
    const account = await ledger.read(userId);
    if (!account) throw notFound('unknown-user', TEXTS.userNotFound);
    const cursor = query.cursor === undefined ? null : BigInt(query.cursor);
    const belowSeq = cursor === null || cursor > SEQ_MAX ? null : cursor;
    // The outbox was read before the entries, so that one that moves in between is found twice, never missed.
    const written = await reads.entries(userId, belowSeq, query.limit + 1);
    const entries = newestFirst(waitingBelow(account, belowSeq), written);
    const { shown, nextCursor } = pageOf(entries, query.limit, (last) => microToString(last.seq));
    return {
      entries: shown.map(ledgerEntry),
      open: microToNumber(account.open.amountMicro + account.openCommission.amountMicro),
      nextCursor,
    };
  }
}

function waitingBelow(account: Account, seq: bigint | null): Entry[] {
  const entries = entriesWaiting(account);
  return seq === null ? entries : entries.filter((entry) => entry.seq < seq);
}
