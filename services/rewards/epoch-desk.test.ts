import type { EpochRow } from '@cord/contracts/events/rewards';
import type { EpochsReply } from '@cord/contracts/rpc/ledger';
import { EPOCHS_AHEAD_MS, firstChangeMs } from '@cord/contracts/rules/epochs';
import { FIRST_BOOK, FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX } from '@cord/kit/bounds';
import { createLogger } from '@cord/kit/log';
import { migrate } from '@cord/kit/migration/migrate';
import type { Nats } from '@cord/kit/nats';
import { createOutbox } from '@cord/kit/outbox';
import { createTestClock, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import { describe, expect, test } from 'vitest';
import { data } from './data.js';
import { withEpoch } from './domain/epochs.js';
import { createEpochDesk, type LedgerTable, TABLE } from './epoch-desk.js';
import { EPOCHS, type EpochTable, openStore } from './store.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const FAR = NOON + 400 * 86_400_000;
const log = createLogger('rewards', 'silent');
const leases = singleReplicaLeases();
const act = { adminId: 'a'.repeat(32), action: 'epoch.create', target: 'special', of: () => null };

const backend = forAllTests(() => startTestStore());

/** A fake NATS that can be away or refuse messages; it records published messages and their times. */
function fakeBus() {
  const bus = {
    up: true,
    refusing: false,
    published: [] as EpochRow[][],
    connected: () => bus.up,
    onReconnect: () => () => undefined,
    async publish(_subject: string, payload: unknown) {
      if (!bus.up || bus.refusing) throw new Error('no answer');
      bus.published.push((payload as { epochs: EpochRow[] }).epochs);
      return { streamSeq: bus.published.length, duplicate: false };
    },
  };
  return bus;
}

/** A fake mining that stores tables or refuses them for good; it can be away, or its responses can be lost. */
function fakeMining(now: () => number) {
  const mining = {
    reached: true,
    /** Number of calls after which responses are lost; null: none is lost. */
    answers: null as number | null,
    version: 0n,
    refused: 0n,
    epochs: null as readonly EpochRow[] | null,
    books: FIRST_BOOKS,
    async hand(version: bigint, table: LedgerTable): Promise<EpochsReply> {
      if (!mining.reached) throw new Error('no replica answers');
      const outcome = mining.take(version, table);
      if (mining.answers !== null && mining.answers-- <= 0) throw new Error('the answer is lost');
      const decided = mining.refused > mining.version ? mining.refused : mining.version;
      const paid = { epochs: [...(mining.epochs ?? [])], books: [...mining.books] };
      return { outcome, version: String(decided), ...(outcome === 'late' ? { table: paid } : {}) };
    },
    take(version: bigint, { epochs, books }: LedgerTable): 'stored' | 'late' {
      if (version <= mining.version) return 'stored';
      if (version <= mining.refused) return 'late';
      const firstMs = mining.epochs && firstChangeMs({ epochs: mining.epochs, books: mining.books }, { epochs, books });
      if (firstMs !== null && firstMs < now() + EPOCHS_AHEAD_MS) {
        mining.refused = version;
        return 'late';
      }
      Object.assign(mining, { version, epochs, books });
      return 'stored';
    },
  };
  return mining;
}

let rounds = 0;
async function open() {
  rounds += 1;
  const connection = backend.store.useDb(backend.dbName(`rewards_epochs_${rounds}`));
  await migrate(connection, data);
  const store = openStore(connection);
  const clock = createTestClock(NOON);
  const bus = fakeBus();
  const mining = fakeMining(() => clock.now());
  const acts: string[] = [];
  const audit = {
    meanwhile: async (): Promise<unknown> => undefined,
    async write({ action }: { action: string }) {
      acts.push(action);
      await audit.meanwhile();
    },
  };
  const outbox = createOutbox<EpochTable>({
    ...{ store: connection, collection: EPOCHS.name, nats: bus as unknown as Nats, clock, leases, log },
    beforePublish: (table) => desk.beforePublish(table),
  });
  const desk = createEpochDesk({
    ...{ store, outbox: () => outbox, audit, clock, nats: bus, log, hand: (...table) => mining.hand(...table) },
  });
  await desk.begin();
  await outbox.relayNow(TABLE);
  const add = (startAt: number, id = 'special') =>
    desk.change({ ...act, target: id }, (rows) => {
      const { epochs } = rows;
      const row = { id, name: id, description: '', multiplierHundredths: 200, startAt, endAt: startAt + 3_600_000 };
      const result = withEpoch(epochs, row, clock.now());
      if ('refusal' in result) throw new Error(result.refusal.message);
      return { ...rows, epochs: result.epochs };
    });
  const has = (epochs: readonly EpochRow[] | null | undefined) => (epochs ?? []).some(({ id }) => id === 'special');
  return { desk, outbox, clock, bus, mining, acts, audit, add, has, isIn: async () => has(await desk.table()) };
}

describe('the epoch desk', () => {
  test('rejects a change that stalls after its audit line if another one changed the same epoch', async () => {
    const { desk, audit, add } = await open();
    const to = (multiplierHundredths: number, id: string) => {
      const of = ({ epochs }: { epochs: readonly EpochRow[] }) => epochs.find((each) => each.id === id) ?? null;
      return desk.change({ ...act, target: id, of }, (rows) => ({
        ...rows,
        epochs: rows.epochs.map((row) => (row.id === id ? { ...row, multiplierHundredths } : row)),
      }));
    };
    await add(FAR);
    await add(FAR + 86_400_000, 'other');
    const meanwhile = (run: () => Promise<unknown>) => {
      audit.meanwhile = () => {
        audit.meanwhile = async () => undefined;
        return run();
      };
    };
    meanwhile(() => to(150, 'special'));
    await expect(to(120, 'special')).rejects.toMatchObject({ status: 409, type: 'no-longer-so' });
    meanwhile(() => to(160, 'other'));
    await to(130, 'special');
    const shown = (await desk.table()).flatMap(({ id, multiplierHundredths }) =>
      ['special', 'other'].includes(id) ? [multiplierHundredths] : [],
    );
    expect(shown).toEqual([130, 160]);
  });

  test('sends the first table to mining and publishes it, and later sends a change before it responds', async () => {
    const { add, bus, mining, has } = await open();
    expect([bus.published.length, mining.version]).toEqual([1, 1n]);
    await add(FAR);
    expect([has(mining.epochs), has(bus.published.at(-1))]).toEqual([true, true]);
  });

  test.each(['the bus', 'mining'])('rejects changes while %s is away, and writes nothing', async (who) => {
    const { add, bus, mining, acts, isIn } = await open();
    bus.up = who !== 'the bus';
    mining.reached = who !== 'mining';
    await expect(add(FAR)).rejects.toMatchObject({ status: 503, type: 'epochs-not-changeable' });
    expect([acts, await isIn()]).toEqual([[], false]);
  });

  test('reverts a change that mining did not receive in time, and never publishes it', async () => {
    const { add, bus, mining, acts, isIn, has, clock, outbox, desk } = await open();
    mining.answers = 1;
    const takes = mining.take;
    mining.take = () => 'stored';
    await expect(add(FAR)).rejects.toMatchObject({ status: 503, type: 'epoch-not-handed-over' });
    await expect(add(FAR + 7_200_000, 'another')).rejects.toMatchObject({ type: 'epochs-not-changeable' });
    await clock.advance(FAR - EPOCHS_AHEAD_MS + 1 - clock.now());
    [mining.take, mining.answers] = [takes, null];
    await outbox.relayNow(TABLE);
    await outbox.relayNow(TABLE);
    expect([await isIn(), has(mining.epochs), bus.published.some(has)]).toEqual([false, false, false]);
    expect(bus.published.at(-1)).toEqual(await desk.table());
    expect(acts).toEqual(['epoch.create', 'epoch.taken-back']);
  });

  test('keeps a change that mining stored, even if the response was lost until after it took effect', async () => {
    const { add, bus, mining, acts, isIn, has, clock, outbox } = await open();
    mining.answers = 1;
    await expect(add(FAR)).rejects.toMatchObject({ type: 'epoch-not-handed-over' });
    expect([has(mining.epochs), bus.published.some(has)]).toEqual([true, false]);
    mining.answers = null;
    await clock.advance(FAR - clock.now());
    await outbox.relayNow(TABLE);
    expect([await isIn(), has(bus.published.at(-1)), acts]).toEqual([true, true, ['epoch.create']]);
  });

  test('accepts a change that mining stored while NATS refuses messages, and publishes it later', async () => {
    const { add, bus, mining, isIn, has, clock, outbox } = await open();
    bus.refusing = true;
    await add(FAR);
    expect([await isIn(), has(mining.epochs), bus.published.some(has)]).toEqual([true, true, false]);
    await expect(add(FAR + 7_200_000, 'another')).rejects.toMatchObject({ type: 'epochs-not-changeable' });
    bus.refusing = false;
    await clock.advance(FAR - clock.now());
    await outbox.relayNow(TABLE);
    expect(has(bus.published.at(-1))).toBe(true);
  });

  test('sends an earlier pending change before the next one, once mining responds again', async () => {
    const { add, bus, mining, has } = await open();
    mining.answers = 1;
    await expect(add(FAR)).rejects.toMatchObject({ type: 'epoch-not-handed-over' });
    await expect(add(FAR + 7_200_000, 'another')).rejects.toMatchObject({ type: 'epochs-not-changeable' });
    mining.answers = null;
    await add(FAR + 7_200_000, 'another');
    expect([has(mining.epochs), mining.epochs?.some(({ id }) => id === 'another')]).toEqual([true, true]);
    expect(bus.published.slice(1).map((table) => [has(table), table.some(({ id }) => id === 'another')])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  test('keeps a change that mining stored if the service restarts after it took effect', async () => {
    const { add, desk, bus, isIn, has, clock, outbox } = await open();
    await add(FAR);
    await clock.advance(FAR - clock.now());
    await desk.begin();
    await outbox.relayNow(TABLE);
    expect([await isIn(), has(bus.published.at(-1))]).toEqual([true, true]);
  });

  test('keeps a change that mining receives later, but still in time', async () => {
    const { add, bus, mining, isIn, has, clock, outbox } = await open();
    mining.answers = 1;
    const takes = mining.take;
    mining.take = () => 'stored';
    await expect(add(FAR)).rejects.toMatchObject({ type: 'epoch-not-handed-over' });
    [mining.take, mining.answers] = [takes, null];
    await clock.advance(3_600_000);
    await outbox.relayNow(TABLE);
    expect([await isIn(), has(mining.epochs), has(bus.published.at(-1))]).toEqual([true, true, true]);
    await add(FAR + 7_200_000, 'another');
  });

  describe('after another client used this service’s password', () => {
    const again = async (run: () => Promise<unknown>) => {
      await expect(run()).rejects.toMatchObject({ status: 503 });
      await run();
    };

    test.each(['version', 'refused'] as const)(
      'raises its version above a huge one that mining has (%s)',
      async (field) => {
        const { add, bus, mining, has } = await open();
        mining[field] = 2n ** 53n;
        await again(() => add(FAR));
        expect([has(mining.epochs), has(bus.published.at(-1)), mining.version]).toEqual([true, true, 2n ** 53n + 2n]);
      },
    );

    test('restores its own table from the first possible time, and keeps what was paid until then', async () => {
      const { add, bus, mining, desk, clock, outbox, isIn, acts } = await open();
      await add(FAR);
      const [alpha] = await desk.table();
      const evil = {
        ...(alpha as EpochRow),
        id: 'evil',
        multiplierHundredths: 10_000,
        startAt: NOON + 60_000,
        endAt: FAR,
      };
      mining.epochs = [{ ...(alpha as EpochRow), endAt: evil.startAt }, evil];
      mining.books = [FIRST_BOOK, { ...FIRST_BOOK, version: 7, fromMs: NOON + 60_000, baseNano: 10_000_000_000 }];
      mining.version += 1n;
      await clock.advance(120_000);
      await again(() => add(FAR + 7_200_000, 'another'));
      await outbox.relayNow(TABLE);
      const firstMs = NOON + 120_000 + 10_000 + EPOCHS_AHEAD_MS;
      expect(mining.epochs?.slice(0, 3).map(({ id, startAt, endAt }) => [id, startAt, endAt])).toEqual([
        ['alpha', alpha?.startAt, NOON + 60_000],
        ['evil', NOON + 60_000, firstMs],
        ['alpha-2', firstMs, alpha?.endAt],
      ]);
      expect(mining.books.map(({ baseNano, fromMs }) => [baseNano, fromMs])).toEqual([
        [FIRST_BOOK.baseNano, 0],
        [10_000_000_000, NOON + 60_000],
        [FIRST_BOOK.baseNano, firstMs + RULES_AGE_MS_MAX],
      ]);
      expect([await isIn(), bus.published.at(-1)]).toEqual([true, await desk.table()]);
      expect(acts).toEqual(['epoch.create', 'epoch.rejoined', 'epoch.create']);
    });
  });
});
