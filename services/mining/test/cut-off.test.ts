import { runningRpc } from '@cord/contracts/rpc/ledger';
import type { RunningService } from '@cord/kit/service';
import { type Cable, startCable } from '@cord/kit/testing/cable';
import { startForTest } from '@cord/kit/testing/index';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { miningService } from '../service.js';
import { DAY_MS, startFixture } from './fixture.js';
import { forAllTests } from '@cord/kit/testing/lifetimes';

const TIMES = 8;

const mining = forAllTests(() => startFixture());
let cable: Cable;
let behind: RunningService;
let version = 0;
/** Ends what the first table has begun, one day after the other. */
const table = (day: number) => ({
  ...{ id: 'alpha', name: 'Alpha', description: '', multiplierHundredths: 200 },
  ...{ startAt: 0, endAt: mining.clock.now() + day * DAY_MS },
});
const hand = (day: number) => mining.handEpochs(++version, [table(day)]);

beforeAll(async () => {
  cable = await startCable(mining.backend.natsUrl);
  behind = await startForTest(miningService({}), mining.backend, {
    clock: mining.clock,
    dbName: mining.store.name,
    env: { NATS_URL: cable.url },
  });
});
afterEach(() => cable.mend());
afterAll(async () => {
  cable?.mend();
  await behind?.close();
  await cable?.stop();
});

describe('one of two replicas that is cut off from NATS', () => {
  test('keeps no table of epochs from being stored, whenever it comes', async () => {
    expect(await hand(1)).toBe('stored');
    cable.cut();
    for (let day = 2; day <= TIMES; day += 1) expect(await hand(day)).toBe('stored');
  });

  test('keeps nobody who previews a change waiting for how many nodes run', async () => {
    cable.cut();
    const request = () => mining.backend.nats.request(runningRpc, { at: mining.clock.now() }, { timeoutMs: 15_000 });
    for (let n = 0; n < TIMES; n += 1) expect(await request()).toMatchObject({ running: 0, isWhole: true });
  });
});
