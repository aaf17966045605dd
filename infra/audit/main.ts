import { solanaRpc } from '@cord/contracts/proof/memos';
import { clockOffsetMs } from '@cord/kit/clock-file';
import { mongo } from 'mongoose';
import { auditBooks, type BooksAudited, workedUntilMs } from './books.js';
import type { Finding, Judgement } from './findings.js';
import { chainRules, readingOf, rootRules } from './reading.js';

const SELECTION_TIMEOUT_MS = 10_000;
/** Maximum number of findings printed without `--all`. */
const SHOWN_MAX = 1_000;
/** Maximum delay between databases of a running system, ms: three rounds of commission. */
export const LAG_MS = 900_000;

/** Locations of the system's parts, from the command line (infra/cli/audit.ts). */
export interface Place {
  /** Root of the checkout. */
  root: string;
  dataDir: string;
  store: { uri: string; description: string };
  /** Whether the system is running. */
  running: boolean;
  /** Address of the chain; undefined without one. */
  rpcUrl: string | undefined;
  /** Whether to print every finding, however many there are. */
  all: boolean;
}

/**
 * Audits a system and prints one line per finding, then counts, last `RESULT drift_micro=N accounts=N findings=N`. The result
 * is also stored with the ledger, in `audits`, for mining's metrics.
 * @returns the exit code: 0 without findings, else 1
 * @throws Error when there is nothing to audit, the chain does not respond, or only a newer release can read the documents
 */
export async function main({ root, dataDir, store, running, rpcUrl, all }: Place): Promise<number> {
  const client = new mongo.MongoClient(store.uri, {
    useBigInt64: true,
    serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
    readConcernLevel: 'majority',
  });
  try {
    console.log(`auditing ${store.description}`);
    const databaseOf = (service: string) => client.db(`cord_${service}`);
    const offsetMs = clockOffsetMs(dataDir);
    const now = () => Date.now() + offsetMs;
    const workedMs = running ? null : await workedUntilMs(databaseOf('mining'));
    const chain = rpcUrl === undefined ? null : await chainRules(root, rpcUrl, now);
    let printed = 0;
    const print = ({ of, what }: Finding) => {
      printed += 1;
      if (all || printed <= SHOWN_MAX) console.log(`${of}: ${what}`);
    };
    const judgement: Judgement = {
      // In a running system time advances: a long audit reads documents written after its start.
      get nowMs() {
        return workedMs ?? now();
      },
      lagMs: LAG_MS,
    };
    const solana = rpcUrl === undefined ? null : solanaRpc(rpcUrl);
    const books = {
      databaseOf,
      reading: await readingOf(root),
      judgement,
      chain,
      solana,
      roots: await rootRules(root),
      now,
    };
    const audited = await auditBooks(books, print);
    if (!all && printed > SHOWN_MAX) console.log(`and ${printed - SHOWN_MAX} more; --all prints them`);
    await databaseOf('mining')
      .collection<{ _id: string }>('audits')
      .replaceOne(
        { _id: 'last' },
        {
          atMs: now(),
          driftMicro: audited.driftMicro,
          accounts: audited.users.accounts,
          findings: audited.findings,
        },
        { upsert: true, writeConcern: { w: 'majority' } },
      );
    for (const line of summary(audited)) console.log(line);
    return audited.findings === 0 ? 0 : 1;
  } finally {
    await client.close();
  }
}

function summary({ users, referrals, payments, roots, behind, findings, driftMicro }: BooksAudited): string[] {
  const { transactions } = payments;
  const notKept = payments.notKept + roots.memosNotKept;
  return [
    `${users.accounts} accounts, ${users.entries} entries`,
    `${referrals.referrers} referrers, ${referrals.friends} friends`,
    `${payments.orders} orders, ${payments.refunds} refunds, ${payments.notices} notices of payment`,
    roots.lastDay === null
      ? 'the log of roots has no record yet'
      : `${roots.records} records of the log of roots, the last of ${roots.lastDay} with ${roots.accounts} accounts${roots.memos === null ? '' : `, ${roots.memos} memos on Solana`}`,
    transactions === null
      ? 'the chain was not read: SOLANA_RPC_URL is not set, and no local chain is running'
      : `${transactions} transactions read on the chain`,
    ...(notKept > 0 ? [`${notKept} transactions not checked: the Solana node no longer has them`] : []),
    `${behind} updates are in transit between services`,
    `RESULT drift_micro=${driftMicro} accounts=${users.accounts} findings=${findings}`,
  ];
}
