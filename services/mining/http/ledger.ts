import type { Source } from '@cord/contracts/events/balance';
import { adminEndpoints } from '@cord/contracts/http/admin';
import { miningEndpoints as endpoints } from '@cord/contracts/http/mining';
import { microToNumber, microToString } from '@cord/contracts/rules/money';
import { TEXTS } from '@cord/contracts/texts';
import { type AuditLog, logAccountView } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { pageOf } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { Account, Entry } from '../ledger/account.js';
import { LEDGER_BOUNDS } from '../ledger/bounds.js';
import type { Ledger } from '../ledger/ledger.js';
import { entriesWaiting, newestFirst } from '../ledger/waiting.js';
import { accountNotOpenYet } from '../problems.js';
import type { Reads } from '../store/reads.js';
import { ledgerEntry } from './present.js';

/** The start and length of a page of entries. */
interface Page {
  cursor?: string | undefined;
  limit: number;
}

interface LedgerParts {
  ledger: Pick<Ledger, 'read'>;
  reads: Pick<Reads, 'entries' | 'entriesAfter' | 'entriesAmong' | 'countEntries'>;
  audit: Pick<AuditLog, 'logView'>;
  /** See LedgerBounds. */
  looked?: number | undefined;
}

/**
 * Mounts the entries behind the balance, newest first, or those after one of them. `open` is credited mining and commission
 * without an entry yet. An operator can read any user's entries, also of one source; each read is a line of the audit log.
 */
export function mountLedger(http: Http, { ledger, reads, audit, looked = LEDGER_BOUNDS.looked }: LedgerParts): void {
  http.route(endpoints.ledger, async ({ user, query }) => {
    const account = await ledger.read(user.id);
    if (!account) throw accountNotOpenYet();
    const { after } = query;
    return presented(
      account,
      await (after === undefined ? pageIn(account, query) : pageAfter(account, Number(after), query)),
    );
  });

  http.route(adminEndpoints.ledger, async (call) => {
    const { params, query } = call;
    const account = await ledger.read(params.id);
    if (!account) throw notFound('unknown-user', TEXTS.userNotFound);
    const { source = null } = query;
    const page = source === null ? pageIn(account, query) : pageAmong(account, source, query);
    const view = presented(account, await page);
    const waiting = entriesWaiting(account).filter((entry) => source === null || entry.source === source);
    const written = await reads.countEntries(
      account.userId,
      source,
      waiting.map(({ key }) => key),
    );
    await logAccountView(audit, call, 'ledger');
    return { ...view, count: written + waiting.length };
  });

  // The account is read before the entries: an entry that moves in between is found twice, never missed. Later entries
  // are left out: they may be part of what is open in this account.
  async function pageIn(account: Account, { cursor, limit }: Page) {
    const belowSeq = seqBelow(account, cursor);
    const written = await reads.entries(account.userId, belowSeq, limit + 1);
    return pageOf(newestFirst(waitingWithin(account, belowSeq, null), written), limit, cursorOf);
  }

  /** Returns the entries after one, oldest first. An entry that leaves the outbox in between is found twice, never missed. */
  async function pageAfter(account: Account, after: number, { limit }: Page) {
    const written = await reads.entriesAfter(account.userId, { n: after, of: account.chain.n }, limit + 1);
    const waiting = entriesWaiting(account).filter(({ n }) => n > after);
    const inOrder = newestFirst(waiting, written).reverse();
    return pageOf(inOrder, limit, ({ n }) => String(n));
  }

  /** Returns the entries of one source. With too few matches, the next cursor continues below the scanned entries. */
  async function pageAmong(account: Account, source: Source, { cursor, limit }: Page) {
    const belowSeq = seqBelow(account, cursor);
    const most = { found: limit + 1, looked };
    const { entries, downTo } = await reads.entriesAmong(account.userId, source, belowSeq, most);
    const waiting = waitingWithin(account, belowSeq, downTo).filter((entry) => entry.source === source);
    const { shown, nextCursor } = pageOf(newestFirst(waiting, entries), limit, cursorOf);
    return { shown, nextCursor: nextCursor ?? (downTo === null ? null : microToString(downTo + 1n)) };
  }
}

function presented(account: Account, { shown, nextCursor }: { shown: Entry[]; nextCursor: string | null }) {
  return {
    entries: shown.map(ledgerEntry),
    open: microToNumber(account.open.amountMicro + account.openCommission.amountMicro),
    nextCursor,
  };
}

const cursorOf = ({ seq }: Entry) => microToString(seq);

/** Returns the seq below which a page begins: that of the cursor, or above all entries of the account. */
function seqBelow({ seq }: Account, cursor: string | undefined): bigint {
  const above = seq + 1n;
  return cursor === undefined || BigInt(cursor) > above ? above : BigInt(cursor);
}

function waitingWithin(account: Account, below: bigint, above: bigint | null): Entry[] {
  return entriesWaiting(account).filter(({ seq }) => seq < below && (above === null || seq > above));
}
