import { tmpdir } from 'node:os';
import { REPLICAS_MAX } from '@cord/contracts/events/streams';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import { createMovableClock, type MovableClock } from '../clock.js';
import type { DataPlan } from '../collection.js';
import { createLogger, type Log } from '../log.js';
import { migrate } from '../migration/migrate.js';
import { withKit } from '../migration/plan.js';
import { type RunningService, type ServiceDefinition, startService } from '../service.js';
import { connectStore } from '../store.js';
import { startTestBackend, type TestBackend } from './backend.js';
import { testCallerKey } from './signer.js';

export interface TestClock extends MovableClock {
  /** Moves forward and awaits the due work. */
  advance(ms: number): Promise<void>;
  /** Lets time pass without notification, like the machine's own clock. */
  pass(ms: number): void;
}

/**
 * Creates a clock that tests move. It stands still unless moved, so that sums are exact; with `running` it runs on.
 * @param startMs ms since epoch; default now
 */
export function createTestClock(startMs: number = Date.now(), { running = false } = {}): TestClock {
  const bornMs = Date.now();
  let passedMs = 0;
  const clock = createMovableClock({ now: () => startMs + passedMs + (running ? Date.now() - bornMs : 0) });
  return {
    ...clock,
    advance: (ms) => clock.setOffset(clock.offsetMs() + ms),
    pass(ms) {
      passedMs += ms;
    },
  };
}

export interface StartForTestOptions {
  clock?: MovableClock;
  env?: Record<string, string>;
  /** The machine's own clock, ms since epoch; default Date.now. */
  machineNow?: () => number;
  /** Default: silent unless LOG_LEVEL is set. */
  log?: Log;
  /** Default: a new name from the backend; the same name again finds the same data. */
  dbName?: string;
}

/** Applies a plan's indexes and other declarations on a test's own connection. */
export async function migratedStore(uri: string, dbName: string, data: DataPlan): Promise<Connection> {
  const store = await connectStore(uri, dbName, createLogger('test', 'silent'));
  await migrate(store, data);
  return store;
}

/** NATS and store for code without a service. */
interface TestStore extends TestBackend {
  /** A connection to a database of this test only. */
  store: Connection;
}

/**
 * Starts NATS and a store, without a service.
 *
 * @param options.data the collections to create in the database; default none
 * @param options.own use own servers even when the environment provides some
 * @param options.uriOf returns another URI of the same store, such as one that reports its commands
 */
export async function startTestStore({
  data,
  own = false,
  uriOf = (uri) => uri,
}: {
  data?: DataPlan;
  own?: boolean;
  uriOf?: (uri: string) => string;
} = {}): Promise<TestStore> {
  const backend = await startTestBackend({ own });
  const at = [uriOf(backend.mongodbUri), backend.dbName('store')] as const;
  const store = data ? await migratedStore(...at, data) : await connectStore(...at, createLogger('test', 'silent'));
  return {
    ...backend,
    store,
    async stop() {
      await store.close();
      await backend.stop();
    },
  };
}

/** Starts the real service on a free port with a test backend and migrated data. Rate limits are off unless `env` enables them. */
export async function startForTest<S extends z.ZodObject>(
  definition: ServiceDefinition<S>,
  backend: TestBackend,
  options: StartForTestOptions = {},
): Promise<RunningService> {
  const env = {
    PORT: '0',
    CORD_REPLICA: String(backend.nextReplica() % REPLICAS_MAX),
    NATS_URL: backend.natsUrl,
    MONGODB_URI: backend.mongodbUri,
    PUBLIC_ORIGIN: 'http://localhost:8080',
    CORD_DATA: tmpdir(),
    RATE_LIMIT_SCALE: '0',
    CALLER_KEY: testCallerKey(definition.name),
    ...options.env,
  };
  const dbName = options.dbName ?? backend.dbName(definition.name);
  await (await migratedStore(env.MONGODB_URI, dbName, withKit(definition.data))).close();
  return startService(definition, {
    env,
    log: options.log ?? createLogger(definition.name, process.env.LOG_LEVEL ?? 'silent'),
    dbName,
    processFigures: false,
    drainMs: 0,
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.machineNow ? { machineNow: options.machineNow } : {}),
  });
}
