import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from '../../infra/build/source-files.ts';
import { workspaceRoot } from './testing/process.js';

/** Timers that are no recurring work: what each replica must do for itself, by its place in the code. */
const TIMERS: Record<string, string> = {
  'services/kit/clock-watch.ts': 'compares the clock of this process with that of the store',
  'services/kit/http/listen.ts': 'closes the connections of this process as it stops',
  'services/kit/idempotency.ts': 'notes that a request of this process still runs',
  'services/kit/nats/consume.ts': 'extends the time to acknowledge a message',
  'services/kit/nats/yielding.ts': 'looks whether this replica has lost its store',
  'services/kit/replicas.ts': 'announces this replica',
  'services/kit/edge/rights-changes.ts': 'has this process read the rights where a replica of auth is silent',
  'services/kit/edge/rights-source.ts': 'announces this replica of auth',
  'services/kit/edge/rights-copy.ts': 'reads the signing keys that this process checks with, also when no message came',
  'services/kit/service.ts': 'logs what this process waits for',
  'services/kit/stuck.ts': 'shows that the event loop of this process turns',
  'services/notices/service.ts': 'keeps the streams of this process alive',
  'infra/gateway/api/streams.ts': 'ends the streams of sessions that have ended',
  'infra/gateway/api/upstreams-file.ts': 'follows a file for this gateway',
  'infra/gateway/release.ts': 'looks at what is published; a line of the journal is written by the first that sees it',
};

const root = workspaceRoot();
const sources = sourceFiles(['{services,infra/gateway}/**/*.ts', '!**/*.{test,d}.ts', '!**/{test,testing}/**']);

test('only the listed files use setInterval; recurring work runs by periodic()', () => {
  const withTimer = sources.filter((name) => readFileSync(join(root, name), 'utf8').includes('setInterval('));
  expect(withTimer.sort()).toEqual(Object.keys(TIMERS).sort());
});
