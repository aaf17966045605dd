import type { Encodable, EncodableMap } from '../bson/encode.js';
import { int } from '../bson/values.js';
import type { WriteKind } from '../engine/store.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import type { ServerContext } from './context.js';
import { writeError } from './replies.js';

/** One write. `attempt` runs inside a write task and returns 'large' when it must not finish there; then `scan` does it. */
export interface Statement {
  attempt: () => Outcome | 'large';
  scan?: () => Promise<Outcome>;
}

export interface Outcome {
  matched: number;
  modified: number;
  upsertedId?: Encodable;
  /** A multi-document write failed halfway: the changes so far stay. */
  error?: MongoError;
}

export interface Tally {
  n: number;
  nModified: number;
  upserted: EncodableMap[];
  writeErrors: EncodableMap[];
}

/** Maximum time for statements in one write task, ms. */
const TURN_MS = 15;

/**
 * Runs statements in order, as many as fit in each write task, so that a batch costs few syncs. An ordered batch stops at
 * the first error; an unordered one goes on.
 */
export async function runStatements(
  server: ServerContext,
  statements: readonly Statement[],
  ordered: boolean,
  kind: WriteKind,
): Promise<Tally> {
  const tally: Tally = { n: 0, nModified: 0, upserted: [], writeErrors: [] };
  const isStopped = (): boolean => ordered && tally.writeErrors.length > 0;
  for (let at = 0; at < statements.length && !isStopped(); ) {
    const next = await server.store.write(() => {
      const most = server.store.share(statements.length);
      const endsMs = performance.now() + TURN_MS;
      for (let place = at; ; place++) {
        const isLong = place - at >= most || (place > at && performance.now() > endsMs);
        const isOver = place === statements.length || isStopped() || isLong;
        if (isOver || !attempt(statements[place] as Statement, place, tally)) return place;
      }
    }, kind);
    const waiting = statements[next];
    if (waiting === undefined || isStopped() || next > at) {
      at = next;
      continue;
    }
    await scan(waiting, next, tally);
    at = next + 1;
  }
  return tally;
}

/** False when the statement is too large for a write task. */
function attempt(statement: Statement, place: number, tally: Tally): boolean {
  try {
    const outcome = statement.attempt();
    if (outcome === 'large') return false;
    add(tally, outcome, place);
  } catch (error) {
    tally.writeErrors.push(writeError(asMongoError(error), place));
  }
  return true;
}

async function scan(statement: Statement, place: number, tally: Tally): Promise<void> {
  try {
    if (statement.scan !== undefined) add(tally, await statement.scan(), place);
  } catch (error) {
    tally.writeErrors.push(writeError(asMongoError(error), place));
  }
}

function add(tally: Tally, outcome: Outcome, place: number): void {
  tally.n += outcome.matched;
  tally.nModified += outcome.modified;
  if (outcome.upsertedId !== undefined) {
    tally.n += 1;
    tally.upserted.push(
      new Map<string, Encodable>([
        ['index', int(place)],
        ['_id', outcome.upsertedId],
      ]),
    );
  }
  if (outcome.error !== undefined) tally.writeErrors.push(writeError(outcome.error, place));
}

function asMongoError(error: unknown): MongoError {
  if (error instanceof MongoError && error.code !== ERROR_CODES.ShutdownInProgress) return error;
  throw error;
}
