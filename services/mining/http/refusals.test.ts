import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fixture, startFixture, type TestUser } from '../test/fixture.js';

let mining: Fixture;
let user: TestUser;
beforeAll(async () => {
  mining = await startFixture();
  user = await mining.newUser(2);
  await user.start();
  await mining.clock.advance(60_000);
});
afterAll(() => mining?.close());

test('a cookie write from another site is refused, one of the own site is served', async () => {
  const cookie = await mining.signer.sign(user.id, { nowMs: mining.clock.now() });
  const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  const before = await mining.models.accounts.findById(user.id).lean();
  const refused = await user.ask(api.start, { token: '', cookie, headers: foreign });
  expect([refused.status, refused.problem.success]).toEqual([403, false]);
  expect(await mining.models.accounts.findById(user.id).lean()).toEqual(before);
  expect((await user.ask(api.start, { token: '', cookie })).status).toBe(200);
});

test('a user whose account is not open yet is asked to try again, by each call', async () => {
  const token = await mining.signer.sign('f'.repeat(32), { nowMs: mining.clock.now() });
  const params = { id: 'f'.repeat(32) };
  for (const endpoint of [api.start, api.rate, api.stats, api.ledger]) {
    const answer = await user.ask(endpoint, { params, token });
    expect([answer.status, answer.problem.type]).toEqual([503, 'ledger-unknown-user']);
  }
});
