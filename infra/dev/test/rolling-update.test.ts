import { beforeEach, describe, expect, test, vi } from 'vitest';
import { StartError } from '../starter/problems.mjs';
import { type Fleet, rollingUpdate } from '../starter/rolling-update.ts';

interface Replica {
  pid: number | undefined;
  version: string;
  spec: { name: string; service: string; logFile: string };
}

const BEFORE = { version: '1.0.0-a', main: 'a' };
const NEXT = { version: '1.0.0-b', main: 'b' };
const bounds = { readyMs: 1_000, watchMs: 1 };
const HOUR_MS = 3_600_000;

let running: Replica[];
let serving: Replica[];
let events: string[];
let lines: string[];
let made: number;
/** The fault of a new replica, by the number of earlier ones. */
let fate: (made: number) => 'late' | 'ending' | undefined;
/** Whether the upstreams file cannot be written. */
let isFull: boolean;

function replica(version: string): Replica {
  made += 1;
  return {
    pid: made,
    version,
    spec: { name: `tasks-${made}`, service: 'tasks', logFile: 'tasks.log' },
  };
}

const fleet = {
  replicasOf: () => running,
  async start(_service: string, { version }: { version: string }) {
    const how = version === NEXT.version ? fate(made) : undefined;
    if (how === 'late') throw new StartError('tasks-9 was not ready within 1 s');
    const one = replica(version);
    running.push(one);
    events.push(`start ${version}`);
    if (how === 'ending') queueMicrotask(() => setImmediate(() => Object.assign(one, { pid: undefined })));
    return one;
  },
  async serve(_service: string, replicas: Replica[]) {
    if (isFull) throw new Error('ENOSPC: no space left on device');
    serving = [...replicas];
    expect(serving.length).toBeGreaterThanOrEqual(2);
    events.push(`serve ${serving.map(({ version }) => version.slice(-1)).join('')}`);
  },
  async retire(one: Replica) {
    // A stopping replica gets no calls any more.
    expect(serving).not.toContain(one);
    running = running.filter((each) => each !== one);
    events.push(`retire ${one.version}`);
  },
};
const update = (watchMs = bounds.watchMs) =>
  rollingUpdate({
    service: 'tasks',
    release: NEXT,
    before: BEFORE,
    fleet: fleet as unknown as Fleet,
    bounds: { ...bounds, watchMs },
    report: (line: string) => void lines.push(line),
  });
const versions = () => running.map(({ version }) => version);

beforeEach(() => {
  made = 0;
  running = [replica(BEFORE.version), replica(BEFORE.version)];
  serving = [...running];
  events = [];
  lines = [];
  fate = () => undefined;
  isFull = false;
});

test('an old replica stops only when a new one is ready and gets calls', async () => {
  await update();
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

describe('a failed update rolls back by itself', () => {
  test('when the first new replica does not become ready, with nothing changed', async () => {
    fate = () => 'late';
    await expect(update()).rejects.toThrow('tasks stays at 1.0.0-a. tasks-9 was not ready within 1 s');
    expect(events).toEqual(['serve aa']);
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
  });

  test('when the second does not become ready: the old one restarts before the new one stops', async () => {
    fate = (before) => (before === 3 ? 'late' : undefined);
    await expect(update()).rejects.toThrow('tasks stays at 1.0.0-a.');
    expect(events.slice(4)).toEqual(['start 1.0.0-a', 'serve aa', 'retire 1.0.0-b']);
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
    expect(lines.at(-1)).toBe('tasks is at 1.0.0-a again, 1 restarted');
  });

  test('when the disk is full, and no new replica is left', async () => {
    isFull = true;
    await expect(update()).rejects.toThrow('tasks stays at 1.0.0-a. ENOSPC: no space left on device');
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
  });

  test('when a new replica ends after it was ready, without waiting for the watch period', async () => {
    fate = () => 'ending';
    await expect(update(HOUR_MS)).rejects.toThrow('tasks-3 exited after it was ready');
    expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
  });
});

test('a rollback before an old replica was stopped reports none as restarted', async () => {
  fate = () => undefined;
  const { serve } = fleet;
  let refusals = 0;
  const follows = vi.spyOn(fleet, 'serve').mockImplementation(async (service, replicas) => {
    if (replicas.length === 2 && refusals++ === 0) throw new StartError('a gateway does not route tasks');
    return serve(service, replicas);
  });
  await expect(update(1)).rejects.toThrow('a gateway does not route tasks');
  follows.mockRestore();
  expect(versions()).toEqual([BEFORE.version, BEFORE.version]);
  expect(lines.at(-1)).toBe(`tasks is at ${BEFORE.version} again`);
});
