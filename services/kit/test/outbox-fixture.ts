import { subjectOf } from '@cord/contracts/events/envelope';
import { claimMade } from '@cord/contracts/events/rewards';
import { collection } from '../collection.js';
import { createLeases } from '../lease.js';
import { createLogger } from '../log.js';
import type { Nats } from '../nats.js';
import type { OutboxDocument, OutboxEvent, OutboxItem } from '../outbox/items.js';
import { createOutbox } from '../outbox.js';
import { createTestClock, startTestStore } from '../testing/index.js';
import { claim } from './claim.js';

export interface Account extends OutboxDocument {
  seq: bigint;
}

type MoreOptions = Partial<Parameters<typeof createOutbox<Account>>[0]>;

/** Accounts with an outbox in a real store, and their events in a real stream. */
export async function startOutboxFixture() {
  const log = createLogger('test', 'silent');
  const backend = await startTestStore({ data: [collection<Account>({ name: 'accounts', outbox: 'events' })] });
  const { store } = backend;
  // The tests check what was published and in which order, so this stream keeps all messages of a subject.
  const kept = await backend.nats.jsm.streams.info('CORD_REWARDS');
  await backend.nats.jsm.streams.update('CORD_REWARDS', { ...kept.config, max_msgs_per_subject: -1 });
  const fixture = {
    backend,
    store,
    clock: createTestClock(),
    accounts: () => store.collection<Account>('accounts'),
    async insert(userId: string, items: OutboxItem[], dirtyAt: number = fixture.clock.now()) {
      await fixture.accounts().insertOne({ _id: userId, seq: 1n, outbox: items, dirtyAt });
    },
    /** NATS with the test's own `publish`; the rest is real. */
    natsWith: (publish: Nats['publish'], connected: () => boolean = () => true): Nats => ({
      ...backend.nats,
      publish,
      connected,
    }),
    /** NATS that runs the test's function before each publish, and does not publish when it throws. */
    natsAfter(before: (subject: string, msgId: string) => unknown): Nats {
      return fixture.natsWith(async (subject, payload, msgId) => {
        await before(subject, msgId);
        return backend.nats.publish(subject, payload, msgId);
      });
    },
    outboxOver: (nats: Nats, more: MoreOptions = {}) => {
      const { clock } = fixture;
      const leases = createLeases(store, clock);
      return createOutbox<Account>({ store, collection: 'accounts', nats, clock, leases, log, ...more });
    },
    /** Returns the amounts in the stream for a user, in order. */
    async amountsPublished(userId: string) {
      const amounts: string[] = [];
      for (let seq = 1; ; ) {
        const query = { seq, next_by_subj: subjectOf(claimMade, userId) };
        const stored = await backend.nats.jsm.streams.getMessage('CORD_REWARDS', query);
        if (!stored) return amounts;
        amounts.push(stored.json<{ amountMicro: string }>().amountMicro);
        seq = stored.seq + 1;
      }
    },
    /** Empties accounts and leases, and sets the clock to now. */
    async reset() {
      fixture.clock = createTestClock();
      await fixture.accounts().deleteMany({});
      await store.collection('leases').deleteMany({});
    },
    stop: backend.stop,
  };
  return fixture;
}

/** Returns the n-th valid event of a user. */
export function item(userId: string, n: number, seq = BigInt(n)): OutboxEvent {
  const key = `claim:${userId}:${n}`;
  const payload = { ...claim(userId, seq, String(n), 1_790_000_000_000), id: key };
  return { kind: 'event', key, seq, subject: subjectOf(claimMade, userId), payload };
}
