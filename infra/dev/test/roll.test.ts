import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { starter } from './starter.js';

const { roll } = await starter('roll');
const { answersIn, isRisen } = await starter('error-rate');
const { StartError } = await starter('problems');

interface Replica {
  pid: number | undefined;
  version: string;
  answers: number;
  failed: number;
  spec: { name: string; service: string; metricsUrl: string; logFile: string };
}

const BEFORE = { version: '1.0.0-a', main: 'a' };
const NEXT = { version: '1.0.0-b', main: 'b' };
const bounds = { readyMs: 1_000, watchMs: 1 };

let server: Server;
let running: Replica[];
let serving: Replica[];
let events: string[];
let said: string[];
let made: number;
/** What befalls each new replica, by how many were made before it. */
let fate: (made: number) => 'late' | 'failing' | 'dying' | undefined;

/** Their figures: each look at a failing one finds ten answers more, all of them 503. */
beforeAll(async () => {
  server = createServer((incoming, response) => {
    const one = running.find(({ spec }) => spec.metricsUrl.endsWith(incoming.url ?? ''));
    if (!one) return response.writeHead(404).end();
    if (one.version === 'failing') one.failed += 10;
    response.end(
      `cord_http_seconds_count{service="tasks",route="tasks.list",status="200"} ${one.answers}\n` +
        `cord_http_seconds_count{service="tasks",route="none",status="503"} 900\n` +
        `cord_http_seconds_count{service="tasks",route="tasks.list",status="503"} ${one.failed}\n`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => server.close());

function replica(version: string): Replica {
  made += 1;
  const metricsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${made}`;
  return {
    pid: made,
    version,
    answers: 100,
    failed: 0,
    spec: { name: `tasks-${made}`, service: 'tasks', metricsUrl, logFile: 'tasks.log' },
  };
}

const fleet = {
  replicasOf: () => running,
  async start(_service: string, { version }: { version: string }) {
    const how = version === NEXT.version ? fate(made) : undefined;
    if (how === 'late') throw new StartError('tasks-9 was not ready within 1 s');
    const one = replica(how === 'failing' ? 'failing' : version);
    running.push(one);
    events.push(`start ${version}`);
    if (how === 'dying') queueMicrotask(() => setImmediate(() => Object.assign(one, { pid: undefined })));
    return one;
  },
  async serve(_service: string, replicas: Replica[]) {
    serving = [...replicas];
    expect(serving.length).toBeGreaterThanOrEqual(2);
    events.push(`serve ${serving.map(({ version }) => version.slice(-1)).join('')}`);
  },
  async retire(one: Replica) {
    // Whoever goes has no calls any more.
    expect(serving).not.toContain(one);
    running = running.filter((each) => each !== one);
    events.push(`retire ${one.version}`);
  },
};
const rolled = () =>
  roll({ service: 'tasks', release: NEXT, before: BEFORE, fleet, bounds, say: (line: string) => void said.push(line) });
const versions = () => running.map(({ version }) => version);

beforeEach(() => {
  made = 0;
  running = [replica(BEFORE.version), replica(BEFORE.version)];
  serving = [...running];
  events = [];
  said = [];
  fate = () => undefined;
});

test('each old replica goes when a new one is ready and has calls', async () => {
  await rolled();
  expect(events).toEqual([
    'start 1.0.0-b',
    'serve aab',
    'serve ab',
    'retire 1.0.0-a',
    'start 1.0.0-b',
    'serve abb',
    'serve bb',
    'retire 1.0.0-a',
  ]);
  expect(versions()).toEqual([NEXT.version, NEXT.version]);
});

describe('all of it goes back by itself', () => {
  test('when the first does not become ready: nothing was touched', async () => {
    fate = () => 'late';
    await expect(rolled()).rejects.toThrow('tasks stays at 1.0.0-a. tasks-9 was not ready within 1 s');
    expect(events).toEqual(['serve aa']);
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
  });

  test('when the second does not become ready: the one that went comes again before the new one goes', async () => {
    fate = (before) => (before === 3 ? 'late' : undefined);
    await expect(rolled()).rejects.toThrow('tasks stays at 1.0.0-a.');
    expect(events.slice(4)).toEqual(['start 1.0.0-a', 'serve aa', 'retire 1.0.0-b']);
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
    expect(said.at(-1)).toBe('tasks is at 1.0.0-a again, 1 started anew');
  });

  test('when its answers fail more than is usual', async () => {
    fate = () => 'failing';
    await expect(rolled()).rejects.toThrow(/tasks stays at 1\.0\.0-a\. \d+ of \d+ answers of the new release failed/);
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
  });

  test('when it dies after it was ready', async () => {
    fate = () => 'dying';
    await expect(rolled()).rejects.toThrow('tasks-3 died after it was ready');
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
  });
});

test('answers are counted by their routes: what the port says of itself while it starts is none', () => {
  const text = `http_server_request_duration_seconds_sum{service="x",route="a",status="200"} 5
http_server_request_duration_seconds_count{service="x",route="a",status="200"} 7
http_server_request_duration_seconds_count{service="x",route="a",status="500"} 2
http_server_request_duration_seconds_count{service="x",route="none",status="503"} 40
cord_http_seconds_count{service="x",route="a",status="503"} 1
other_count{status="500"} 9`;
  expect(answersIn(text)).toEqual({ answers: 10, failed: 3 });
});

test.each([
  [{ answers: 100, failed: 3 }, 0, true],
  [{ answers: 100, failed: 2 }, 0, false],
  [{ answers: 1_000, failed: 19 }, 0, false],
  [{ answers: 100, failed: 8 }, 0.05, false],
  [{ answers: 100, failed: 11 }, 0.05, true],
  [{ answers: 0, failed: 0 }, 0, false],
])('%o where %d is usual: risen %s', (seen, usual, risen) => {
  expect(isRisen(seen, usual)).toBe(risen);
});
