import { pastRpc } from '@cord/contracts/rpc/past';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import { startBehindCable } from '@cord/kit/testing/cable';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it } from 'vitest';
import { startAuth } from './test/auth.js';

const TIMES = 8;
const PATIENT = { timeoutMs: 15_000 };

const auth = forAllTests(() => startAuth());
const cable = forAllTests(() =>
  startBehindCable(auth.backend.natsUrl, (natsUrl) => auth.replica({ env: { NATS_URL: natsUrl } })),
);

it('one of two replicas that is cut off from NATS keeps no service waiting for who a newcomer is, and when a user was signed in', async () => {
  const { id: userId } = await auth.signUp('newcomer');
  cable.cut();
  const { nats } = auth.backend;
  for (let n = 0; n < TIMES; n += 1) {
    expect((await nats.request(registrationRpc, { userId }, PATIENT)).registered).toMatchObject({ userId });
    expect((await nats.request(pastRpc, { userId }, PATIENT)).signIns).toHaveLength(1);
  }
});
