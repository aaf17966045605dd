import { tmpdir } from 'node:os';
import { REPLICAS_MAX } from '@cord/contracts/events/streams';
import type { z } from 'zod';
import { createMovableClock, type MovableClock } from '../clock.js';
import { createLogger, type Log } from '../log.js';
import { type RunningService, type ServiceDefinition, startService } from '../service.js';
import type { TestBackend } from './backend.js';

export interface TestClock extends MovableClock {
  /** Moves forward and awaits what falls due. */
  advance(ms: number): Promise<void>;
}

/**
 * A clock that tests move. It stands still unless moved, so that sums are exact; `running` lets it run on.
 * @param startMs ms since epoch; default now
 */
export function createTestClock(startMs: number = Date.now(), { running = false } = {}): TestClock {
  const bornMs = Date.now();
  const clock = createMovableClock({ now: () => (running ? startMs + Date.now() - bornMs : startMs) });
  return { ...clock, advance: (ms) => clock.setOffset(clock.offsetMs() + ms) };
}

export interface StartForTestOptions {
  clock?: MovableClock;
  env?: Record<string, string>;
  /** Default one that says nothing unless LOG_LEVEL does. */
  log?: Log;
  /** Default one of the backend's own; the same name again finds the same data. */
  dbName?: string;
}

/** Starts the true service on a free port against a test backend. Limits are off unless `env` says otherwise. */
export function startForTest<S extends z.ZodObject>(
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
    ...options.env,
  };
  return startService(definition, {
    env,
    log: options.log ?? createLogger(definition.name, process.env.LOG_LEVEL ?? 'silent'),
    dbName: options.dbName ?? backend.dbName(definition.name),
    processFigures: false,
    drainMs: 0,
    ...(options.clock ? { clock: options.clock } : {}),
  });
}
