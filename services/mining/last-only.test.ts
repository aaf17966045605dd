import { badgePurchased } from '@cord/contracts/events/rewards';
import { anticheatAssessed, userRegistered } from '@cord/contracts/events/user';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { createTestDelivery, deliveriesOf, type TestEvent } from '@cord/kit/testing/last-only';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { assessed } from '@cord/kit/testing/node-state';
import { registered } from '@cord/kit/testing/registered';
import { expect, test } from 'vitest';
import { data } from './data.js';
import { listen } from './events.js';
import { NO_EPOCHS } from './ledger/epochs.js';
import { createLedger } from './ledger/ledger.js';
import { createLedgerStore } from './store/ledger-store.js';
import { NOON_MS } from './test/fixture.js';

const backend = forAllTests(() => startTestStore({ data }));

const at = (factorHundredths: number) => assessed({ factorHundredths });
const EVENTS: TestEvent[] = [
  { kind: userRegistered, seq: 1, state: registered(NOON_MS, { discordCreatedAt: 7 }) },
  { kind: anticheatAssessed, seq: 1, state: at(25) },
  { kind: badgePurchased, seq: 1, state: { orderId: 'o', purchasedAt: NOON_MS, transaction: 't' } },
  { kind: anticheatAssessed, seq: 4, state: at(50) },
  { kind: anticheatAssessed, seq: 6, state: at(100) },
  { kind: anticheatAssessed, seq: 9, state: at(75) },
];

test.each(deliveriesOf(EVENTS))('the account is the same for each delivery: %s', async (_name, events) => {
  const userId = randomId();
  const ledger = createLedger({
    store: createLedgerStore(backend.store),
    bus: { publishBalance: async () => undefined, publishNode: async () => undefined, withdraw: async () => undefined },
    nowMs: () => NOON_MS,
    epochs: () => NO_EPOCHS,
  });
  const deliver = createTestDelivery((nats) => listen(nats, ledger, async () => undefined));
  // What comes before the account is there is refused, and NATS brings it again.
  const refused: TestEvent[] = [];
  for (const event of events) {
    await deliver(userId, event).catch((err: { type?: string }) => {
      expect(err.type).toBe('ledger-unknown-user');
      refused.push(event);
    });
  }
  for (const event of refused) await deliver(userId, event);
  await ledger.flush();

  const factors = { discordCreatedAtMs: 7, badge: true, antiCheatHundredths: 75n, antiCheatSeq: 9n };
  expect(await ledger.read(userId)).toMatchObject({ factors, balanceMicro: 0n });
});
