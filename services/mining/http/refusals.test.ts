import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, expect, test } from 'vitest';
import { startFixture, type TestUser } from '../test/fixture.js';

const mining = forAllTests(() => startFixture());
let user: TestUser;
beforeAll(async () => {
  user = await mining.newUser(2);
  await user.start();
  await mining.clock.advance(60_000);
});

test('a user whose account is not open yet gets 503 from start, rate, stats and ledger', async () => {
  const token = await mining.signer.sign('f'.repeat(32), { nowMs: mining.clock.now() });
  const params = { id: 'f'.repeat(32) };
  for (const endpoint of [api.start, api.rate, api.stats, api.ledger]) {
    const answer = await user.call(endpoint, { params, token });
    expect([answer.status, answer.problem.type]).toEqual([503, 'ledger-unknown-user']);
  }
});
