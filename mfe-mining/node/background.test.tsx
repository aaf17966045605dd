import { at, sampleMining, sampleSettings, sampleUser } from '@cord/sdk/testing';
import { advance, cleanup, inFakeTime, renderWithSdk, settle, settled } from '@cord/sdk/testing/render';
import { expect, test } from 'vitest';
import { miningSdk } from '../mining.fixtures';
import { Background } from './background';

inFakeTime();

async function open({ autoStart = false, fresh = false, running = true } = {}) {
  const sdk = miningSdk(running ? sampleMining() : null);
  sdk.api.on(at.users.getSettings, sampleSettings({ autoStart }));
  if (fresh) sdk.session.signIn(sampleUser(), { fresh });
  renderWithSdk(<Background />, sdk);
  await settled(sdk);
  return sdk;
}

test('the node is saved while the background part is mounted, and no longer', async () => {
  const sdk = await open();
  await advance(sdk, 11_000);
  expect(sdk.api.callsOf(at.mining.save)).toHaveLength(1);
  cleanup();
  await advance(sdk, 60_000);
  expect(sdk.api.callsOf(at.mining.save)).toHaveLength(1);
});

test('a sign-in starts the node once if auto-start is on', async () => {
  const sdk = await open({ autoStart: true, fresh: true, running: false });
  await settle(2_000);
  expect(sdk.session.node.get()?.status).toBe('active');
  cleanup();
  renderWithSdk(<Background />, sdk);
  await settled(sdk);
  expect(sdk.api.callsOf(at.mining.start)).toHaveLength(1);
});

test('a reload does not start the node', async () => {
  const sdk = await open({ autoStart: true, running: false });
  await settle(2_000);
  expect(sdk.api.callsOf(at.mining.start)).toHaveLength(0);
});
