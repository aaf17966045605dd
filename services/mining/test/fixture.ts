import type { Endpoint, ResponseOf } from '@cord/contracts/endpoint';
import type { Source } from '@cord/contracts/events/balance';
import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import type { EpochRow } from '@cord/contracts/events/rewards';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { chainEntry } from '@cord/contracts/proof/chain';
import { chainBefore, followEntries } from '@cord/contracts/proof/entries';
import { accountRpc, creditRpc, epochsRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { NATS_PAYLOAD_BYTES_MAX } from '@cord/kit/bounds';
import { eventText } from '@cord/kit/nats/publishable';
import type { RunningService } from '@cord/kit/service';
import {
  type CallAnswer,
  type CallOptions,
  call,
  createSigner,
  createTestClock,
  randomId,
  startForTest,
  startTestBackend,
} from '@cord/kit/testing/index';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import type { Connection } from 'mongoose';
import { expect, vi } from 'vitest';
import type { LedgerBounds } from '../ledger/bounds.js';
import { sha256 } from '../ledger/chain.js';
import { miningService } from '../service.js';
import { ACCOUNTS, CORRECTIONS, DAYS, ENTRIES, EPOCHS, SESSIONS } from '../store/collections.js';
import { entryOf } from '../store/ledger-store.js';

/** A Saturday noon. */
export const NOON_MS = Date.UTC(2026, 10, 21, 12);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Timeout for a test machine that is busy with other suites. */
const PATIENT = { timeoutMs: 15_000 };

/** A user with an open account who calls a replica over HTTP. */
export interface TestUser {
  id: string;
  call<E extends Endpoint>(
    endpoint: E,
    options?: CallOptions<E> & { replica?: number },
  ): Promise<CallAnswer<ResponseOf<E>>>;
  start(): Promise<ResponseOf<typeof miningEndpoints.start>>;
  save(sessionId: string, replica?: number): Promise<ResponseOf<typeof miningEndpoints.save>>;
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** Starts mining on real servers with any number of replicas, on a clock that only moves when set. */
export async function startFixture({
  replicas: count = 1,
  own = false,
  env = {} as Record<string, string>,
  storeUri = (uri: string) => uri,
  bounds = {} as Partial<LedgerBounds>,
} = {}) {
  const backend = await startTestBackend({ own });
  const signer = await createSigner(backend.nats);
  const clock = createTestClock(NOON_MS);
  const dbName = backend.dbName('mining');
  const replicas: RunningService[] = [];
  const settings = { MONGODB_URI: storeUri(backend.mongodbUri), ...env };
  for (let n = 0; n < count; n += 1) {
    replicas.push(await startForTest(miningService(bounds), backend, { clock, dbName, env: settings }));
  }
  const store = await backend.storeOf('mining');
  const stored = storedIn(store);

  const urlOf = (replica: number) => replicas[replica % replicas.length]?.url ?? '';
  const newUser = async (ageYears = 0): Promise<TestUser> => {
    const id = randomId();
    const discordCreatedAt = clock.now() - Math.round(ageYears * YEAR_MS) - 1;
    await backend.nats.request(openAccount, { userId: id, discordCreatedAt, at: clock.now() }, PATIENT);
    const calling: TestUser['call'] = async (endpoint, { replica = 0, ...options } = {}) => {
      const token = await signer.sign(id, { nowMs: clock.now() });
      return call(urlOf(replica), endpoint, { params: { id }, token, ...options });
    };
    return {
      id,
      call: calling,
      start: async () => (await calling(miningEndpoints.start)).body,
      save: async (sessionId, replica = 0) =>
        (await calling(miningEndpoints.save, { params: { id, sessionId }, body: {}, replica })).body,
    };
  };
  return {
    backend,
    signer,
    clock,
    replicas,
    store,
    /** The collections of mining. */
    stored,
    newUser,
    async credit(
      userId: string,
      source: Source,
      key: string,
      amountMicro: bigint,
      caller: 'auth' | 'tasks' | 'rewards' = 'tasks',
    ) {
      const request = { userId, key, source, amountMicro: amountMicro.toString(), reason: 'test' };
      return BigInt((await backend.nats.request(creditRpc(caller), request, { ...PATIENT, userId })).balanceMicro);
    },
    async publish(kind: EventKind, userId: string, seq: number, state: object) {
      const id = `${kind.thing}:${userId}:${seq}`;
      const event = { v: 1, id, at: clock.now(), userId, seq: String(seq), ...state };
      // Bypasses the publisher's guard against older states, to test that the consumer rejects them itself.
      const subject = subjectOf(kind, userId);
      await backend.nats.js.publish(subject, eventText(subject, event, NATS_PAYLOAD_BYTES_MAX), { msgID: id });
    },
    /** Sends a table of epochs, as rewards does. */
    async handEpochs(version: number, epochs: EpochRow[]) {
      return (await backend.nats.request(epochsRpc, { version: String(version), epochs }, PATIENT)).outcome;
    },
    async balanceMicro(userId: string) {
      return BigInt((await backend.nats.request(accountRpc, { userId }, PATIENT))?.balance ?? '0');
    },
    /** Checks that entries, unwritten outbox entries and open amounts sum up to the balance of every account, and that its chain is valid. */
    async audit() {
      for (const account of await stored.accounts.find().toArray()) {
        const entries = await stored.entries.find({ userId: account._id }).toArray();
        const written = new Set(entries.map((entry) => entry._id));
        const waiting = account.outbox.flatMap((item) =>
          item.kind === 'entry' && !written.has(item.key) ? [item.entry] : [],
        );
        const sum = [...entries, ...waiting].reduce(
          (total, entry) => total + entry.amountMicro,
          account.open.amountMicro + (account.openCommission?.amountMicro ?? 0n),
        );
        if (sum !== account.balanceMicro)
          throw new Error(`${account._id}: balance ${account.balanceMicro}, sum ${sum}`);
        const inOrder = [...entries.map(entryOf), ...waiting].sort((a, b) => a.n - b.n).map(chainEntry);
        const chained = followEntries(sha256, account._id, chainBefore(sha256, account._id), inOrder);
        if ('what' in chained) throw new Error(`${account._id}: entry ${chained.n}: ${chained.what}`);
        expect(account.chain).toMatchObject({ n: chained.n, head: chained.head });
      }
    },
    async stop() {
      for (const replica of replicas) await replica.close();
      await backend.stop();
    },
  };
}

const storedIn = (store: Connection) => ({
  accounts: ACCOUNTS.in(store),
  entries: ENTRIES.in(store),
  sessions: SESSIONS.in(store),
  days: DAYS.in(store),
  epochs: EPOCHS.in(store),
  corrections: CORRECTIONS.in(store),
});

/** Retries until the attempt succeeds, for work of other processes. @throws the last failure after PATIENCE_MS */
export function eventually<T>(attempt: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(attempt, { timeout: PATIENCE_MS, interval: 25 });
}
