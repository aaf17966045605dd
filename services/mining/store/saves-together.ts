import { allThrough } from '@cord/kit/batches';
import type { mongo } from 'mongoose';
import type { AccountDoc, Models } from './models.js';

/** One compare-and-set, as the store's command takes it. */
export interface Statement {
  readonly q: { readonly _id: string; readonly seq: bigint };
  readonly u: mongo.UpdateFilter<AccountDoc>;
  /** Whether a stored account is as this write leaves it. */
  readonly holds: (stored: AccountDoc) => boolean;
}

interface Waiting extends Statement {
  readonly resolve: (written: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Compare-and-sets that one turn of the event loop asks for share one command to the store: a command costs service,
 * network and store far more than one more statement in it. None waits for another command's answer, so that one which
 * never comes holds up nobody else.
 *
 * The answer counts the matches and leaves open which was none. Then the accounts are looked at: one that stands as its write left it was
 * written. One on which another write has followed by then counts as lost, though it may have been written: only for steps that are as
 * good when they are done again on what is stored, as a save is, and never for an own try on a fresh read, which must know.
 *
 * @param most statements in one command
 * @returns writes one with whatever else comes now; false when it lost, or may have
 */
export function savesTogether(models: Models, most: number): (statement: Statement) => Promise<boolean> {
  let waiting: Waiting[] = [];

  const send = async (): Promise<void> => {
    const sent = waiting;
    waiting = [];
    try {
      const written = await writeAll(models, sent);
      const whole = written === sent.length;
      // Where none matched all have lost; only of some it is open which.
      const stored = whole || written === 0 ? new Map<string, AccountDoc>() : await stand(models, sent);
      for (const { q, holds, resolve } of sent) {
        const account = stored.get(q._id);
        resolve(whole || (account !== undefined && holds(account)));
      }
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  };

  return (statement) =>
    new Promise((resolve, reject) => {
      // After everything that this turn of the event loop has read from its sockets.
      if (waiting.length === 0) setImmediate(() => void (waiting.length > 0 && send()));
      waiting.push({ ...statement, resolve, reject });
      if (waiting.length >= most) void send();
    });
}

/** The accounts of statements, as they are stored now; each by a command that names its user. */
async function stand(models: Models, statements: readonly Statement[]): Promise<Map<string, AccountDoc>> {
  const accounts = models.accounts.collection as unknown as mongo.Collection<AccountDoc>;
  const found = await allThrough(statements.map(({ q }) => accounts.findOne({ _id: q._id })));
  return new Map(found.flatMap((account) => (account ? [[account._id, account]] : [])));
}

/** How many statements were written. @throws what the driver throws; the outcome of all is unknown then */
async function writeAll(models: Models, statements: readonly Statement[]): Promise<number> {
  const { db, collection } = models.accounts;
  const { writeConcern } = db.getClient().options;
  const answer = await db.db?.command({
    update: collection.name,
    updates: statements.map(({ q, u }) => ({ q, u })),
    ordered: false,
    writeConcern: { w: writeConcern?.w, j: writeConcern?.journal },
  });
  if (answer === undefined || answer.writeConcernError)
    throw new Error(`saves are not known to be on disk: ${JSON.stringify(answer?.writeConcernError)}`);
  return answer.n;
}
