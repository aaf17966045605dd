// @vitest-environment jsdom
import { at, createTestSdk, problem, sampleMining, sampleSettings } from '@cord/sdk/testing';
import { describe, expect, it } from 'vitest';
import { autoStart } from './use-auto-start';

function sdkWith(wanted: boolean, node: ReturnType<typeof sampleMining> | null) {
  const sdk = createTestSdk();
  sdk.api
    .on(at.users.getSettings, sampleSettings({ autoStart: wanted }))
    .on(at.mining.current, node)
    .on(at.mining.start, sampleMining());
  return sdk;
}

describe('auto-start after a sign-in', () => {
  it('starts the node if the setting is on', async () => {
    const sdk = sdkWith(true, null);
    expect(await autoStart(sdk)).toBe(true);
    expect(sdk.session.node.get()?.status).toBe('active');
    expect(sdk.shown[0]?.title).toBe('Mining Node Started!');
  });

  it('starts a node that its lease has paused', async () => {
    expect(await autoStart(sdkWith(true, sampleMining({ status: 'paused' })))).toBe(true);
  });

  it.each([
    ['who has not set it so', false, null],
    ['whose node runs already', true, sampleMining()],
  ])('leaves the node alone for a user %s', async (_who, wanted, node) => {
    const sdk = sdkWith(wanted, node);
    expect(await autoStart(sdk)).toBe(false);
    expect(sdk.api.callsOf(at.mining.start)).toHaveLength(0);
  });

  it('does nothing while the setting is unknown', async () => {
    const sdk = sdkWith(true, null);
    sdk.api.fail(at.users.getSettings, problem(503, 'down'));
    expect(await autoStart(sdk)).toBe(false);
    expect(sdk.api.callsOf(at.mining.start)).toHaveLength(0);
  });
});
