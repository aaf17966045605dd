import { registrationRpc } from '@cord/contracts/rpc/registration';
import { startBehindCable } from '@cord/kit/testing/cable';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it } from 'vitest';
import { meOf, startAuth } from './test/auth.js';

const TIMES = 8;

const auth = forAllTests(() => startAuth());
const cable = forAllTests(() =>
  startBehindCable(auth.backend.natsUrl, (natsUrl) => auth.replica({ env: { NATS_URL: natsUrl } })),
);

it('one of two replicas that is cut off from NATS keeps no service waiting for who a newcomer is', async () => {
  const browser = auth.browser();
  await browser.signIn({ account: await auth.discord.account({ username: 'newcomer' }) });
  const { id: userId } = (await meOf(browser)).user;
  cable.cut();
  const request = () => auth.backend.nats.request(registrationRpc, { userId }, { timeoutMs: 15_000 });
  for (let n = 0; n < TIMES; n += 1) expect((await request()).registered).toMatchObject({ username: 'newcomer' });
});
