import { mongo } from 'mongoose';
import { runningStoreUri } from '../../../dev/starter/store-address.ts';
import type { System } from '../../kit/system.ts';

export interface Entry {
  _id: string;
  userId: string;
  seq: bigint;
  source: string;
  amountMicro: bigint;
  atMs: number;
}

export interface Session {
  _id: string;
  userId: string;
  startedAtMs: number;
  creditedUntilMs: number;
  sessionMs: number;
}

interface Account {
  _id: string;
  seq: bigint;
  balanceMicro: bigint;
  open: { amountMicro: bigint };
  /** ms since epoch; null unless erased */
  erasedAtMs?: number | null;
  openCommission?: { amountMicro: bigint; sinceMs: number };
}

/** A user in the ledger; entries by seq. */
export interface OfUser {
  account: Account;
  entries: Entry[];
  sessions: Session[];
}

/** Reads mining's own database as the audit does: int64 as bigint. */
export class Books {
  readonly #client: mongo.MongoClient;

  static async open(system: Pick<System, 'dataDir'>): Promise<Books> {
    return new Books(new mongo.MongoClient(await runningStoreUri(system.dataDir), { useBigInt64: true }));
  }

  private constructor(client: mongo.MongoClient) {
    this.#client = client;
  }

  accounts(): mongo.Collection<Account> {
    return this.#client.db('cord_mining').collection<Account>('accounts');
  }

  /** @returns entries by seq */
  async read(): Promise<Map<string, OfUser>> {
    const db = this.#client.db('cord_mining');
    const [accounts, entries, sessions] = await Promise.all([
      this.accounts().find().toArray(),
      db.collection<Entry>('entries').find().toArray(),
      db.collection<Session>('sessions').find().toArray(),
    ]);
    const byUser = new Map(
      accounts.map((account): [string, OfUser] => [account._id, { account, entries: [], sessions: [] }]),
    );
    for (const entry of entries) byUser.get(entry.userId)?.entries.push(entry);
    for (const session of sessions) byUser.get(session.userId)?.sessions.push(session);
    for (const own of byUser.values()) {
      own.entries.sort((a, b) => (a.seq < b.seq ? -1 : 1));
      own.sessions.sort((a, b) => a.startedAtMs - b.startedAtMs);
    }
    return byUser;
  }

  /** Returns the versions of the epoch table: rewards' own and the one that mining uses. */
  async epochVersions(): Promise<{ made: bigint; used: bigint }> {
    const tableOf = (service: string) =>
      this.#client
        .db(`cord_${service}`)
        .collection<{ _id: string }>('epochs')
        .findOne<mongo.BSON.Document>({ _id: 'table' });
    const [made, used] = await Promise.all([tableOf('rewards'), tableOf('mining')]);
    return { made: BigInt(made?.seq ?? 0), used: BigInt(used?.version ?? 0) };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Sums a user's entries of these sources, with the open amounts of mining and commission; micro-CORD. */
export function sumMicro({ account, entries }: OfUser, sources: readonly string[] | null = null): bigint {
  const isWanted = (source: string) => sources === null || sources.includes(source);
  const open = { mining: account.open.amountMicro, commission: account.openCommission?.amountMicro ?? 0n };
  const openMicro = Object.entries(open).reduce(
    (sum, [source, amountMicro]) => (isWanted(source) ? sum + BigInt(amountMicro) : sum),
    0n,
  );
  return entries.reduce((sum, { source, amountMicro }) => (isWanted(source) ? sum + amountMicro : sum), openMicro);
}
