import { GATEWAY_USER, RIGHTS_USER } from '@cord/contracts/events/permissions';
import { createLogger } from '@cord/kit/log';
import { connectNats } from '@cord/kit/nats';
import { startHouseNats } from '@cord/kit/testing/house-nats';
import { createSigner } from '@cord/kit/testing/signer';
import { expect, test } from 'vitest';
import { closing, origin } from './origin.js';

const keep = closing();

test('a module that is switched off says so in the registry, another registry than before, until it is on again', async () => {
  const nats = await startHouseNats();
  keep({ close: () => nats.stop() });
  const auth = await connectNats({ NATS_URL: nats.urlFor(RIGHTS_USER) }, RIGHTS_USER, createLogger('test', 'silent'));
  keep({ close: () => auth.drain() });
  const { state } = await createSigner(auth);
  const site = keep(await origin({ nats: { NATS_URL: nats.urlFor(GATEWAY_USER) } }));
  const registry = async () => (await site.call('/remotes.json')).json();
  const before = await registry();
  expect(before.modules.mfe_tasks.off).toBeUndefined();
  await state.setSwitches(['module.mfe_tasks']);
  await expect.poll(async () => (await registry()).modules.mfe_tasks.off).toBe(true);
  expect((await registry()).version).not.toBe(before.version);
  await state.setSwitches(['claims']);
  await expect.poll(registry).toEqual(before);
});
