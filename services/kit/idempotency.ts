import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { IDEMPOTENCY_MS } from '@cord/contracts/limits';
import type { Connection } from 'mongoose';
import {
  CLOCK_OFF_MS_MAX,
  IDEMPOTENCY_ANSWER_BYTES_MAX,
  IDEMPOTENCY_BEAT_MS,
  IDEMPOTENCY_KEY_CHARS_MAX,
  IDEMPOTENCY_KEYS_MAX,
  IDEMPOTENCY_RUNNING_MS,
} from './bounds.js';
import { currentFirstRunId, runWithFirstRunId } from './cause.js';
import type { Clock } from './clock.js';
import { collection } from './collection.js';
import { badInput, Problem, refused } from './problem.js';
import { insertOnce } from './store-errors.js';

export interface Answer {
  status: number;
  body: unknown;
}

interface Once {
  userId: string;
  /** Endpoint id. */
  route: string;
  /** The Idempotency-Key header. */
  key: string;
  /** Path, query and body, parsed: the input of the hash. */
  input: unknown;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

interface Kept {
  _id: string;
  userId: string;
  inputHash: string;
  /** Id of the run; changes when a crashed run is taken over. */
  runId: string;
  /** Id of the first of successive runs. */
  firstRunId: string;
  startedAtMs: number;
  /** Last sign of life of the run; 0 after a failure on our side. */
  aliveAtMs: number;
  answer: { status: number; json: string } | null;
  problem: { status: number; type: string; message: string; json: string } | null;
  expiresAt: Date;
}

/** The store deletes old records; the kit's clock decides on expiry. */
export const IDEMPOTENCY_KEYS = collection<Kept>({
  name: 'idempotency_keys',
  indexes: [{ key: { userId: 1 } }, { key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
});

/**
 * Returns an id, 32 hex characters, for something that a call creates. A rerun under the same key, after a failure on our side or an
 * apparent crash, gets the same id, so nothing is created twice, even by a stalled run that continues. Random without a key.
 * @param of distinguishes the things that one call creates
 */
export function onceId(of: string): string {
  const run = currentFirstRunId();
  return run === undefined ? randomBytes(16).toString('hex') : sha256(`${run}|${of}`).slice(0, 32);
}

/** @param keysMax maximum keys kept per user */
export function createIdempotency(store: Connection, clock: Pick<Clock, 'now'>, keysMax = IDEMPOTENCY_KEYS_MAX) {
  const kept = () => IDEMPOTENCY_KEYS.in(store);

  /** @returns the first run's id when this call must run; otherwise the record of an earlier call */
  const begin = async (
    { id, userId }: { id: string; userId: string },
    inputHash: string,
    runId: string,
  ): Promise<{ earlier: Kept } | { firstRunId: string }> => {
    const nowMs = clock.now();
    const fresh: Kept = {
      _id: id,
      userId,
      inputHash,
      runId,
      firstRunId: runId,
      startedAtMs: nowMs,
      aliveAtMs: nowMs,
      answer: null,
      problem: null,
      expiresAt: new Date(nowMs + IDEMPOTENCY_MS),
    };
    if (await insertOnce(() => kept().insertOne(fresh))) return { firstRunId: runId };
    // Missing while the call that wrote it waits for a majority of the store (store.ts).
    const earlier = await kept().findOne({ _id: id });
    if (!earlier) throw stillRunning();
    const ended = earlier.answer !== null || earlier.problem !== null;
    const { startedAtMs, aliveAtMs } = earlier;
    const goneAtMs = ended ? startedAtMs + IDEMPOTENCY_MS : aliveAtMs + IDEMPOTENCY_RUNNING_MS;
    if (goneAtMs > nowMs) return { earlier };
    // Its process's clock may only be behind ours: then it records a sign of life within two beats.
    if (!ended && nowMs - goneAtMs <= 2 * CLOCK_OFF_MS_MAX) await wait(2 * IDEMPOTENCY_BEAT_MS);
    // Expired, failed, or its process died: the first process to change the record takes it over.
    const isSame = !ended && earlier.inputHash === inputHash;
    const firstRunId = isSame ? earlier.firstRunId : runId;
    const { _id, ...changes } = { ...fresh, firstRunId };
    const stillDead = { answer: null, problem: null, aliveAtMs };
    const asRead = { _id, runId: earlier.runId, ...(ended ? {} : stillDead) };
    const taken = await kept().updateOne(asRead, { $set: changes });
    if (taken.modifiedCount === 0) throw stillRunning();
    return { firstRunId };
  };

  /** Records signs of life: a repeated call must wait for seconds after a crash, and this shows that there was none. */
  const markAlive = (id: string, runId: string): NodeJS.Timeout =>
    setInterval(() => {
      const written = kept().updateOne({ _id: id, runId }, { $set: { aliveAtMs: clock.now() } });
      // Without the store no other process can take it over either.
      written.catch(() => undefined);
    }, IDEMPOTENCY_BEAT_MS).unref();

  const finish = async (id: string, runId: string, changes: Partial<Kept>): Promise<void> => {
    await kept().updateOne({ _id: id, runId }, { $set: changes });
  };

  return {
    /**
     * Runs a call once per user, route and key (services/README.md#sign-in-and-rights). Within 24 h the same input gets the same response,
     * refusals included; another input gets 422; while the first still runs 409. A call that failed on our side (5xx, or rate limited) is not
     * kept and may be retried, without creating anything twice (`onceId`). Of a large response only the fact is kept: 409 `answer-not-kept`.
     * @throws Problem 400, 409, 422, 429 beyond IDEMPOTENCY_KEYS_MAX keys, or what the call throws
     */
    async once({ userId, route, key, input }: Once, run: () => Promise<Answer>): Promise<Answer & { replayed?: true }> {
      if (key.length > IDEMPOTENCY_KEY_CHARS_MAX || !/^[\x21-\x7e]+$/.test(key)) {
        throw badInput('Idempotency-Key', `must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} visible characters`);
      }
      const id = sha256(`${userId}|${route}|${key}`);
      const inputHash = sha256(canonicalJson(input));
      const runId = crypto.randomUUID();
      const begun = await begin({ id, userId }, inputHash, runId);
      if ('earlier' in begun) return replay(begun.earlier, inputHash);
      const held = { userId, expiresAt: { $gt: new Date(clock.now()) } };
      if ((await kept().countDocuments(held, { limit: keysMax + 1 })) > keysMax) {
        await kept().deleteOne({ _id: id, runId });
        throw tooManyKeys();
      }
      const alive = markAlive(id, runId);
      try {
        const answer = await runWithFirstRunId(begun.firstRunId, run);
        const json = JSON.stringify(answer.body ?? null);
        const isLarge = Buffer.byteLength(json) > IDEMPOTENCY_ANSWER_BYTES_MAX;
        await finish(id, runId, isLarge ? { problem: NOT_KEPT } : { answer: { status: answer.status, json } });
        return answer;
      } catch (err) {
        if (err instanceof Problem && err.status < 500 && err.status !== 429) {
          const { status, type, message } = err;
          const json = JSON.stringify(err.errors ?? null);
          await finish(id, runId, { problem: { status, type, message, json } });
        } else if (err instanceof Problem && err.status === 429) {
          await kept().deleteOne({ _id: id, runId });
        } else {
          clearInterval(alive);
          // While the store is away, the key is free after IDEMPOTENCY_RUNNING_MS.
          await finish(id, runId, { aliveAtMs: 0 }).catch(() => undefined);
        }
        throw err;
      } finally {
        clearInterval(alive);
      }
    },
    /** Deletes the responses kept for a user (services/README.md#erasure). */
    async forgetUser(userId: string) {
      await kept().deleteMany({ userId });
    },
  };
}

function replay(earlier: Kept, inputHash: string): Answer & { replayed: true } {
  if (earlier.inputHash !== inputHash) {
    throw refused('idempotency-key-reused', 'This Idempotency-Key was used with another request');
  }
  if (earlier.problem) {
    const { status, type, message, json } = earlier.problem;
    const errors = JSON.parse(json);
    throw new Problem(status, type, message, {
      ...(errors ? { errors } : {}),
      headers: { 'Idempotency-Replayed': 'true' },
    });
  }
  if (!earlier.answer) throw stillRunning();
  return { status: earlier.answer.status, body: JSON.parse(earlier.answer.json), replayed: true };
}

/** Response to a repeated call whose response was too large to keep. */
const NOT_KEPT = {
  status: 409,
  type: 'answer-not-kept',
  message: 'This was done. Its answer was too large to be kept.',
  json: 'null',
};

/** 429 until the oldest key of the last day expires. */
function tooManyKeys(): Problem {
  return new Problem(429, 'too-many-keys', 'Too many requests with an Idempotency-Key today. Please try again later.', {
    errors: [{ path: 'Idempotency-Key', message: 'too many different ones in 24 hours' }],
    headers: { 'Retry-After': '3600' },
  });
}

/** 409: the first call still runs; the client may retry. */
function stillRunning(): Problem {
  return new Problem(409, 'still-running', 'This request is still running', { headers: { 'Retry-After': '1' } });
}

/** Returns JSON with sorted object keys, so that equal inputs hash alike. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
