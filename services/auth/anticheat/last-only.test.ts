import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { createTestDelivery, deliveriesOf, type TestEvent } from '@cord/kit/testing/last-only';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { minedAt } from '@cord/kit/testing/node-state';
import { expect, it } from 'vitest';
import { hash32 } from '../test/events.js';
import { createAddressStore } from './addresses.js';
import { createAssessmentStore } from './assessments.js';
import { createCheck } from './check.js';
import { consumeNodes } from './events.js';
import { createMinedStore } from './mined.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

const backend = forAllTests(() => startTestStore());

const session = randomId();
const node = (line: string, hours: Record<string, number>) =>
  minedAt({ sessionId: session, untilMs: NOON_MS, line, hours });

const eventsAt = (home: string, phone: string): TestEvent[] => [
  { kind: nodeStarted, seq: 1, state: node(home, { [home]: 0 }) },
  { kind: nodePaused, seq: 3, state: node(home, { [home]: 1 }) },
  { kind: nodeStarted, seq: 5, state: node(phone, { [home]: 2, [phone]: 0 }) },
  { kind: nodeStopped, seq: 7, state: node(phone, { [home]: 2, [phone]: 3 }) },
];

it.each(deliveriesOf(eventsAt('home', 'phone')))(
  'the network check has the same result (delivered: %s)',
  async (name) => {
    const [home, phone] = [hash32(`home ${name}`), hash32(`phone ${name}`)];
    const events = new Map(deliveriesOf(eventsAt(home, phone))).get(name) ?? [];
    const userId = randomId();
    const [mined, assessments] = [createMinedStore(backend.store), createAssessmentStore(backend.store)];
    const addresses = createAddressStore(backend.store);
    const check = createCheck({
      mined,
      assessments,
      addresses,
      isUser: async () => true,
      relay: () => undefined,
      now: () => NOON_MS,
    });
    const deliver = createTestDelivery((nats) =>
      consumeNodes({ nats, isUser: async (id) => id === userId, mined, check }),
    );
    for (const event of events) await deliver(userId, event);
    for (const event of events) await deliver(randomId(), event);

    const at = new Map((await mined.ofUser(userId, 0)).map(({ addressHash, minedMs }) => [addressHash, minedMs]));
    expect(at).toEqual(
      new Map([
        [home, 2 * HOUR_MS],
        [phone, 3 * HOUR_MS],
      ]),
    );
    expect(await assessments.of(userId)).toMatchObject({ addressHash: phone, hourMined: true });
    expect(await assessments.countAt(phone)).toBe(1);
  },
);
