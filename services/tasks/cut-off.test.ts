import { auditRpc } from '@cord/contracts/rpc/audit';
import { exportRpc } from '@cord/contracts/rpc/export';
import { parkedRpc } from '@cord/contracts/rpc/parked';
import { startBehindCable } from '@cord/kit/testing/cable';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { openTaskCenter } from './test/people.js';

const TIMES = 8;
const PATIENT = { timeoutMs: 15_000 };

const tasks = forAllTests(() => openTaskCenter());
const cable = forAllTests(() =>
  startBehindCable(tasks.backend.natsUrl, (natsUrl) => tasks.replica({ env: { NATS_URL: natsUrl } })),
);

test('one of two replicas that is cut off from NATS leaves out nothing of what admins list, and of what a user exports', async () => {
  const { userId } = await tasks.newcomer();
  cable.cut();
  const { nats } = tasks.backend;
  for (let n = 0; n < TIMES; n += 1) {
    expect(await nats.request(parkedRpc('tasks'), { after: null, limit: 9 }, PATIENT)).toEqual({ credits: [] });
    expect(await nats.request(auditRpc('tasks'), { limit: 9 }, PATIENT)).toEqual({ entries: [] });
    expect(await nats.request(exportRpc('tasks'), { userId }, PATIENT)).toHaveProperty('tasks');
  }
});
