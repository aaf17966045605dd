import { isStoreUnavailable } from '@cord/kit/store-errors';
import { mongo } from 'mongoose';
import type { Account } from '../ledger/account.js';
import { refuse } from '../ledger/refusal.js';
import type { AccountDoc } from './models.js';

/** Commands under way at a time: one that is slow holds back no more than its own, and the others still share. */
const COMMANDS_MAX = 2;
/** Compare-and-sets in one command. */
const GROUP_MAX = 128;
/** Compare-and-sets that wait for a command; beyond, 503. */
const WAITING_MAX = 10_000;

/** One compare-and-set of one account. */
export interface AccountChange {
  readonly before: Account;
  readonly next: Account;
  readonly update: mongo.UpdateFilter<AccountDoc>;
}

interface Waiting extends AccountChange {
  readonly resolve: (written: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Saves that come in at the same time share one command to the store, each still its own compare-and-set with its own
 * outcome. Nobody waits for company: what has come when a command can go, goes. A command costs far more than one more
 * statement in it, for the service, the network and the store.
 *
 * Only for changes that push nothing into the outbox. A reply counts the matches and leaves open which was none; then
 * the outcome is read back by the group's id, and a write that another group overtook before that counts as lost. To
 * the node's steps that makes no difference but in `credited`: settling again from what is stored earns nothing twice.
 */
export function createWriteGroups(accounts: mongo.Collection<AccountDoc>) {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let planned = false;

  /** Writes one change with whatever else comes in now. False when another wrote meanwhile. @throws LedgerRefusal `busy` */
  function write(change: AccountChange): Promise<boolean> {
    if (waiting.length >= WAITING_MAX) throw refuse('busy', 'Too many changes at once. Try again.');
    return new Promise((resolve, reject) => {
      waiting.push({ ...change, resolve, reject });
      sendSoon();
    });
  }

  /** After everything that this turn of the event loop has read from its sockets. */
  function sendSoon(): void {
    if (planned || underWay >= COMMANDS_MAX) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      const group = waiting.splice(0, GROUP_MAX);
      if (group.length > 0) void send(group);
    });
  }

  async function send(group: readonly Waiting[]): Promise<void> {
    underWay += 1;
    try {
      await writeGroup(accounts, group);
    } catch (error) {
      for (const { reject } of group) reject(error);
      // With the store away, what waits would only wait to hear the same, one group after another.
      if (isStoreUnavailable(error)) for (const { reject } of waiting.splice(0)) reject(error);
    } finally {
      underWay -= 1;
      if (waiting.length > 0) sendSoon();
    }
  }

  return { write };
}

/** One command; tells each its outcome. */
async function writeGroup(accounts: mongo.Collection<AccountDoc>, group: readonly Waiting[]): Promise<void> {
  const [first] = group;
  if (first && group.length === 1) return first.resolve(await writeOne(accounts, first));
  const groupId = new mongo.ObjectId();
  const { matched, refused } = await writeMany(accounts, group, groupId);
  for (const [index, error] of refused) group[index]?.reject(error);
  const taken = group.filter((_, index) => !refused.has(index));
  const written = matched === taken.length ? null : await writtenBy(accounts, taken, groupId);
  for (const { next, resolve } of taken) resolve(written === null || written.has(next.userId));
}

async function writeOne(accounts: mongo.Collection<AccountDoc>, { before, update }: AccountChange): Promise<boolean> {
  const { matchedCount } = await accounts.updateOne({ _id: before.userId, seq: before.seq }, update);
  return matchedCount === 1;
}

/** @returns how many accounts matched, and the errors of those that the store refused by their place in the group */
async function writeMany(
  accounts: mongo.Collection<AccountDoc>,
  group: readonly AccountChange[],
  groupId: mongo.ObjectId,
): Promise<{ matched: number; refused: ReadonlyMap<number, Error> }> {
  const statements = group.map(({ before, update }) => ({
    updateOne: {
      filter: { _id: before.userId, seq: before.seq },
      update: { ...update, $set: { ...update.$set, groupId } },
    },
  }));
  try {
    const { matchedCount } = await accounts.bulkWrite(statements, { ordered: false });
    return { matched: matchedCount, refused: new Map() };
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    if (errors.length === 0) throw error;
    const refusal = (one: mongo.WriteError) =>
      new mongo.MongoServerError({ message: one.errmsg ?? '', code: one.code });
    return { matched: error.matchedCount, refused: new Map(errors.map((one) => [one.index, refusal(one)])) };
  }
}

/** The users whose accounts stand as this group wrote them. */
async function writtenBy(
  accounts: mongo.Collection<AccountDoc>,
  group: readonly AccountChange[],
  groupId: mongo.ObjectId,
): Promise<ReadonlySet<string>> {
  const ids = group.map(({ next }) => next.userId);
  const docs = await accounts.find({ _id: { $in: ids }, groupId }, { projection: { _id: 1 } }).toArray();
  return new Set(docs.map((doc) => doc._id));
}
