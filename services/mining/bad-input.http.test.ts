import { overviewEndpoints } from '@cord/contracts/http/overview';
import { everyRouteRefusesBadInput } from '@cord/kit/testing/bad-input-suite';
import { call } from '@cord/kit/testing/index';
import { expect } from 'vitest';
import { eventually, startFixture } from './test/fixture.js';

everyRouteRefusesBadInput('mining', async () => {
  const mining = await startFixture();
  const url = mining.replicas[0]?.url ?? '';
  const user = await mining.newUser(2);
  await mining.signer.state.setRoles(user.id, ['admin']);
  const token = await mining.signer.sign(user.id, { nowMs: mining.clock.now() });
  // The service gets that the user is an admin.
  const issued = { token, query: { range: '7d' as const } };
  const isAdmin = async () => (await call(url, overviewEndpoints.issued, issued)).status === 200;
  await eventually(async () => expect(await isAdmin()).toBe(true));
  const params = { id: user.id, sessionId: (await user.start()).id, day: '2026-11-21' };
  return {
    url,
    backend: mining.backend,
    // Numbers that clients send: taken, compared, never credited.
    goodCall: ({ id }) => ({ params, body: id === 'mining.save' ? { earningsToAdd: 1, miningRate: 1 } : {}, token }),
    stop: () => mining.stop(),
  };
});
