import { testBadInput } from '@cord/kit/testing/bad-input-suite';
import { startFixture } from './test/fixture.js';

testBadInput('mining', async () => {
  const mining = await startFixture();
  const user = await mining.newUser(2);
  await mining.signer.state.setRoles(user.id, ['admin']);
  const token = await mining.signer.sign(user.id, { nowMs: mining.clock.now() });
  const params = { id: user.id, sessionId: (await user.start()).id, day: '2026-11-21' };
  return {
    url: mining.replicas[0]?.url ?? '',
    backend: mining.backend,
    // Numbers that clients send: taken, compared, never credited.
    goodCall: ({ id }) => ({ params, body: id === 'mining.save' ? { earningsToAdd: 1, miningRate: 1 } : {}, token }),
    stop: () => mining.stop(),
  };
});
