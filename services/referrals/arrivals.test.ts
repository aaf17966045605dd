import { expect, test } from 'vitest';
import { createArrivals } from './arrivals.js';
import { FRIEND, NOW_MS, never, newDisk, storeOn } from './test/world.js';

test('a registration that is redelivered after a change of name keeps the new name and the code', async () => {
  const store = storeOn(newDisk(), never);
  const arrivals = createArrivals({
    store,
    links: {} as never,
    clock: { now: () => NOW_MS, onAdvance: () => () => undefined },
    log: {} as never,
    outbox: { relayNow: async () => undefined },
  });
  const registered = { username: 'nova', avatar: null, returning: false, welcomeMicro: 870n };
  await arrivals.take(FRIEND, registered, null);
  await store.members.update(FRIEND, (member) => ({ ...member, profile: { ...registered, username: 'nova_2' } }));
  const before = await store.members.get(FRIEND);
  await arrivals.take(FRIEND, registered, null);
  expect(await store.members.get(FRIEND)).toEqual(before);
});
