import { earningsRpc, friendAccountRpc, runningRpc } from '@cord/contracts/rpc/ledger';
import { startBehindCable } from '@cord/kit/testing/cable';
import { startForTest } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterEach, describe, expect, test } from 'vitest';
import { miningService } from '../service.js';
import { DAY_MS, startFixture } from './fixture.js';

const TIMES = 8;
const PATIENT = { timeoutMs: 15_000 };

const mining = forAllTests(() => startFixture());
const cable = forAllTests(() =>
  startBehindCable(mining.backend.natsUrl, (natsUrl) =>
    startForTest(miningService({}), mining.backend, {
      clock: mining.clock,
      dbName: mining.store.name,
      env: { NATS_URL: natsUrl },
    }),
  ),
);
afterEach(() => cable.mend());

let version = 0;
/** Ends what the first table has begun, one day after the other. */
const table = (day: number) => ({
  ...{ id: 'alpha', name: 'Alpha', description: '', multiplierHundredths: 200 },
  ...{ startAt: 0, endAt: mining.clock.now() + day * DAY_MS },
});
const hand = (day: number) => mining.handEpochs(++version, [table(day)]);

describe('one of two replicas that is cut off from NATS', () => {
  test('keeps no table of epochs from being stored, whenever it comes', async () => {
    expect(await hand(1)).toBe('stored');
    cable.cut();
    for (let day = 2; day <= TIMES; day += 1) expect(await hand(day)).toBe('stored');
  });

  test('keeps nobody who previews a change waiting for how many nodes run', async () => {
    cable.cut();
    const request = () => mining.backend.nats.request(runningRpc, { at: mining.clock.now() }, PATIENT);
    for (let n = 0; n < TIMES; n += 1) expect(await request()).toMatchObject({ running: 0, isWhole: true });
  });

  test('keeps nobody who enters a code, or looks at what friends have brought, waiting for the ledger', async () => {
    const { id: userId } = await mining.newUser();
    cable.cut();
    const { nats } = mining.backend;
    for (let n = 0; n < TIMES; n += 1) {
      expect(await nats.request(friendAccountRpc, { userId }, PATIENT)).toMatchObject({ userId, erased: false });
      const brought = { userId, sources: ['commission' as const], sinceMs: 0 };
      expect(await nats.request(earningsRpc, brought, PATIENT)).toEqual({ earnings: [], totalMicro: '0' });
    }
  });
});
