import type { MiningSession } from '@cord/contracts/http/mining';
import { at, createTestSdk, SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { act, renderWithSdk, settled } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NodeAnnouncements } from './node-announcements';
import { nodeController } from './node-controller';

const user = sampleUser();
const announced = () => screen.getByRole('status').textContent;

async function open(node: MiningSession | null) {
  const sdk = createTestSdk({ user });
  sdk.api.on(at.mining.current, node);
  renderWithSdk(<NodeAnnouncements />, sdk);
  await settled(sdk);
  const elsewhere = (session: MiningSession | null) =>
    act(async () => sdk.receive({ kind: 'node', userId: user.id, session, asOfMs: SAMPLE_NOW_MS }));
  return { sdk, elsewhere };
}

test.each([
  ['a running node', sampleMining()],
  ['no node', null],
  ['a paused one', sampleMining({ status: 'paused' })],
])('opening the page with %s announces nothing', async (_what, node) => {
  await open(node);
  expect(announced()).toBe('');
});

test('a start and a stop in another tab are announced', async () => {
  const { elsewhere } = await open(null);
  await elsewhere(sampleMining());
  expect(announced()).toBe('Node is online.');
  await elsewhere(null);
  expect(announced()).toBe('Node is offline.');
});

test('a start on this page is not announced, as it has a toast', async () => {
  const { sdk } = await open(null);
  sdk.api.on(at.mining.start, sampleMining());
  await act(async () => void (await nodeController(sdk).start()));
  expect(announced()).toBe('');
});

test('a pause is announced', async () => {
  const { elsewhere } = await open(sampleMining());
  await elsewhere(sampleMining({ status: 'paused' }));
  expect(announced()).toBe('Node is paused.');
});
