import type { ServiceName } from '@cord/contracts/endpoint';
import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import type { z } from 'zod';
import type { RunningService, ServiceDefinition } from '../service.js';
import { startTestBackend, type TestBackend } from './backend.js';
import { serveTestLedger, type TestLedger } from './ledger.js';
import { createTestClock, type StartForTestOptions, startForTest, type TestClock } from './service.js';
import { createSigner, randomId, type Signer } from './signer.js';

/** One service alone, with everything its tests need. */
export interface Fixture {
  backend: TestBackend;
  signer: Signer;
  clock: TestClock;
  /** Credits that the service requested. */
  ledger: TestLedger;
  service: RunningService;
  url: string;
  /** Starts a further replica on the same data. */
  replica(options?: Pick<StartForTestOptions, 'env'>): Promise<RunningService>;
  /** Publishes an event as its owner would. */
  publish(kind: EventKind, userId: string, state: object, seq?: number): Promise<void>;
  /** Returns a session token of any user. */
  tokenOf(userId: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts one service alone with NATS, a store, a ledger in memory and a clock that stands still.
 *
 * @param prepare runs before the service starts, to serve requests that it sends at its start
 */
export async function startFixture<S extends z.ZodObject>(
  definition: ServiceDefinition<S>,
  startMs: number,
  prepare: (backend: TestBackend, clock: TestClock) => void = () => undefined,
): Promise<Fixture> {
  const backend = await startTestBackend();
  const signer = await createSigner(backend.nats);
  const clock = createTestClock(startMs);
  const ledger = serveTestLedger(backend.nats, definition.name as ServiceName, () => clock.now());
  prepare(backend, clock);
  const dbName = backend.dbName(definition.name);
  const replica: Fixture['replica'] = (options = {}) =>
    startForTest(definition, backend, { clock, dbName, ...options });
  const service = await replica();
  return {
    backend,
    signer,
    clock,
    ledger,
    service,
    url: service.url,
    replica,
    async publish(kind, userId, state, seq = 1) {
      const id = randomId();
      const event = { v: 1, id, at: clock.now(), userId, seq: String(seq), ...state };
      await backend.nats.publish(subjectOf(kind, userId), event, id);
    },
    tokenOf: (userId) => signer.sign(userId, { nowMs: clock.now() }),
    async stop() {
      await service.close();
      await ledger.stop();
      await backend.stop();
    },
  };
}
