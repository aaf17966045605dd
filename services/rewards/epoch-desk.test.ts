import type { EpochRow } from '@cord/contracts/events/rewards';
import { createLogger } from '@cord/kit/log';
import { migrate } from '@cord/kit/migration/migrate';
import type { Nats } from '@cord/kit/nats';
import { createOutbox } from '@cord/kit/outbox';
import { connectStore } from '@cord/kit/store';
import { aloneWithLeases } from '@cord/kit/testing/alone';
import { createTestClock, startTestBackend } from '@cord/kit/testing/index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { data } from './data.js';
import { EFFECT_AHEAD_MS, withEpoch } from './domain/epochs.js';
import { createEpochDesk, TABLE } from './epoch-desk.js';
import { EPOCHS, type EpochTable, openStore } from './store.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const FAR = NOON + 400 * 86_400_000;
const log = createLogger('rewards', 'silent');
const leases = aloneWithLeases();
const act = { adminId: 'a'.repeat(32), verb: 'create', target: 'special' };

let backend: Awaited<ReturnType<typeof startTestBackend>>;
let root: Awaited<ReturnType<typeof connectStore>>;
beforeAll(async () => {
  backend = await startTestBackend();
  root = await connectStore(backend.mongodbUri, backend.dbName('rewards'), log);
});
afterAll(async () => {
  await root?.close();
  await backend?.stop();
});

/** A bus that may be away, or refuse what is published; what it took, and when. */
function fakeBus(now: () => number) {
  const bus = {
    up: true,
    refusing: false,
    told: [] as { atMs: number; seq: string; epochs: EpochRow[] }[],
    connected: () => bus.up,
    async publish(_subject: string, payload: unknown) {
      if (!bus.up || bus.refusing) throw new Error('no answer');
      bus.told.push({ atMs: now(), ...(payload as { seq: string; epochs: EpochRow[] }) });
      return { streamSeq: bus.told.length, duplicate: false };
    },
  };
  return bus;
}

let rounds = 0;
async function open(tries?: number) {
  rounds += 1;
  const connection = root.useDb(backend.dbName(`rewards_epochs_${rounds}`));
  await migrate(connection, data);
  const store = openStore(connection);
  const clock = createTestClock(NOON);
  const bus = fakeBus(() => clock.now());
  /** The next answers to whether mining is reached, and what it is after them. */
  const mining = { next: [] as boolean[], reached: true };
  const acts: string[] = [];
  const audit = { write: async ({ action }: { action: string }) => void acts.push(action), newest: async () => [] };
  const outbox = createOutbox<EpochTable>({
    ...{ store: connection, collection: EPOCHS, nats: bus as unknown as Nats, clock, leases, log },
    beforePublish: (table) => desk.beforePublish(table),
  });
  const desk = createEpochDesk({
    ...{ store, outbox: () => outbox, audit, clock, nats: bus, log },
    isMiningReached: async () => mining.next.shift() ?? mining.reached,
    ...(tries === undefined ? {} : { tries }),
  });
  await desk.begin();
  await outbox.relayNow(TABLE);
  const add = (startAt: number, id = 'special') =>
    desk.change({ ...act, target: id }, (epochs) => {
      const row = { id, name: id, description: '', multiplierHundredths: 200, startAt, endAt: startAt + 3_600_000 };
      const result = withEpoch(epochs, row, clock.now());
      if ('refusal' in result) throw new Error(result.refusal.message);
      return result.epochs;
    });
  return { desk, outbox, clock, bus, mining, acts, add, ids: async () => (await desk.table()).map(({ id }) => id) };
}

describe('the epoch desk', () => {
  test('tells the first table at once, although it is in force already, and a change before its admin is answered', async () => {
    const { add, bus } = await open();
    expect(bus.told).toHaveLength(1);
    await add(FAR);
    expect(bus.told.at(-1)?.epochs.map(({ id }) => id)).toContain('special');
  });

  test('refuses changes while the bus is away, and writes nothing', async () => {
    const { add, bus, acts, ids } = await open();
    bus.up = false;
    await expect(add(FAR)).rejects.toMatchObject({ status: 503, type: 'epochs-not-changeable' });
    expect(acts).toEqual([]);
    expect(await ids()).not.toContain('special');
  });

  test.each([1, 3])(
    'a change that cannot be told in time is taken back, and never told late (%d tries)',
    async (tries) => {
      const { add, bus, acts, ids, clock, outbox } = await open(tries);
      bus.refusing = true;
      await expect(add(FAR)).rejects.toMatchObject({ status: 503, type: 'epoch-not-told' });
      await expect(add(FAR + 7_200_000, 'another')).rejects.toMatchObject({ type: 'epochs-not-changeable' });
      await clock.advance(FAR - EFFECT_AHEAD_MS - clock.now());
      bus.refusing = false;
      await outbox.relayNow(TABLE);
      await outbox.relayNow(TABLE);
      expect(await ids()).not.toContain('special');
      expect(bus.told.flatMap(({ epochs }) => epochs.map(({ id }) => id))).not.toContain('special');
      expect(bus.told.at(-1)?.epochs.map(({ id }) => id)).toEqual(await ids());
      expect(acts).toEqual(['epoch.create', 'epoch.taken-back']);
    },
  );

  test('refuses changes while no replica of mining is reached, and writes nothing', async () => {
    const { add, mining, acts, ids } = await open();
    mining.reached = false;
    await expect(add(FAR)).rejects.toMatchObject({ status: 503, type: 'epochs-not-changeable' });
    expect(acts).toEqual([]);
    expect(await ids()).not.toContain('special');
  });

  test('a change is published only while mining is reached: in time, or it is taken back', async () => {
    const { add, bus, mining, acts, ids, clock, outbox } = await open();
    const isPublished = () => bus.told.some(({ epochs }) => epochs.some(({ id }) => id === 'special'));
    mining.next = [true];
    mining.reached = false;
    await expect(add(FAR)).rejects.toMatchObject({ type: 'epoch-not-told' });
    expect(isPublished()).toBe(false);
    mining.reached = true;
    await outbox.relayNow(TABLE);
    expect(isPublished()).toBe(true);

    const late = await open();
    late.mining.next = [true];
    late.mining.reached = false;
    await expect(late.add(FAR)).rejects.toMatchObject({ type: 'epoch-not-told' });
    await late.clock.advance(FAR - EFFECT_AHEAD_MS - late.clock.now());
    await late.outbox.relayNow(TABLE);
    late.mining.reached = true;
    await late.outbox.relayNow(TABLE);
    expect(await late.ids()).not.toContain('special');
    expect(late.bus.told.flatMap(({ epochs }) => epochs.map(({ id }) => id))).not.toContain('special');
    expect(late.acts).toEqual(['epoch.create', 'epoch.taken-back']);
    expect([await ids(), acts, clock.now()]).toEqual([expect.arrayContaining(['special']), ['epoch.create'], NOON]);
  });

  test('what was told in time stands, also when the service starts again after it has taken effect', async () => {
    const { add, desk, bus, ids, clock, outbox } = await open();
    await add(FAR);
    await clock.advance(FAR - clock.now());
    await desk.begin();
    await outbox.relayNow(TABLE);
    expect(await ids()).toContain('special');
    expect(bus.told.at(-1)?.epochs.map(({ id }) => id)).toContain('special');
  });

  test('a change that can be told later, and still in time, stands', async () => {
    const { add, bus, ids, clock, outbox } = await open();
    bus.refusing = true;
    await expect(add(FAR)).rejects.toMatchObject({ type: 'epoch-not-told' });
    bus.refusing = false;
    await clock.advance(3_600_000);
    await outbox.relayNow(TABLE);
    expect(await ids()).toContain('special');
    expect(bus.told.at(-1)?.epochs.map(({ id }) => id)).toContain('special');
    expect(FAR - (bus.told.at(-1)?.atMs ?? FAR)).toBeGreaterThanOrEqual(EFFECT_AHEAD_MS);
    await add(FAR + 7_200_000, 'another');
    expect(await ids()).toContain('another');
  });
});
