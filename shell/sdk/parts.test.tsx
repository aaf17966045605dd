// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Part } from './parts';
import { createTestSdk } from './testing';
import { cleanup, renderWithSdk } from './testing/render';

afterEach(cleanup);

function withPanels(load: () => Promise<Record<string, () => React.ReactNode>>) {
  const sdk = createTestSdk();
  sdk.parts = {
    ...sdk.parts,
    load: vi.fn(load),
    Skeleton: Loading,
    Failed: RetryButton,
  };
  return sdk;
}

function Loading() {
  return <p>loading</p>;
}

function RetryButton({ retry, again }: { retry: () => void; again: boolean }) {
  return (
    <button type="button" onClick={retry}>
      {again ? 'Reload' : 'Retry'}
    </button>
  );
}

test('a part shows a skeleton at once and then itself', async () => {
  const sdk = withPanels(async () => ({ 'node-card': () => <p>the card</p> }));
  renderWithSdk(<Part name="mining/node-card" />, sdk);
  expect(screen.getByText('loading')).toBeDefined();
  expect(await screen.findByText('the card')).toBeDefined();
});

test('a module that does not load costs its own place only, and Retry asks for it anew', async () => {
  let there = false;
  const sdk = withPanels(async () => {
    if (!there) throw new Error('gone');
    return { 'node-card': () => <p>the card</p> };
  });
  const { user } = renderWithSdk(
    <>
      <Part name="mining/node-card" />
      <p>neighbour</p>
    </>,
    sdk,
  );
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByText('neighbour')).toBeDefined();
  there = true;
  await user.click(retry);
  expect(await screen.findByText('the card')).toBeDefined();
  expect(sdk.parts.load).toHaveBeenLastCalledWith('mining', { fresh: true });
});

test('a part that throws while it renders is fenced in', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const sdk = withPanels(async () => ({
    'node-card': () => {
      throw new Error('broken');
    },
  }));
  renderWithSdk(
    <>
      <Part name="mining/node-card" />
      <p>neighbour</p>
    </>,
    sdk,
  );
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeDefined();
  expect(screen.getByText('neighbour')).toBeDefined();
  expect(sdk.reported).toEqual([
    {
      error: expect.objectContaining({ message: 'broken' }),
      place: { module: 'mfe_mining', part: 'mining/node-card' },
    },
  ]);
});

test('each place of a module that does not load offers Retry first, and a reload after that', async () => {
  const sdk = withPanels(() => Promise.reject(new Error('down')));
  const { user } = renderWithSdk(
    <>
      <Part name="wallet/badge-card" />
      <Part name="wallet/claim-banner" />
      <Part name="wallet/wallet-button" />
    </>,
    sdk,
  );
  expect(await screen.findAllByRole('button', { name: 'Retry' })).toHaveLength(3);
  await user.click(screen.getAllByRole('button')[0] as HTMLElement);
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeDefined();
  expect(sdk.reported.map(({ place }) => place.part)).toEqual([
    'wallet/badge-card',
    'wallet/claim-banner',
    'wallet/wallet-button',
    'wallet/badge-card',
  ]);
});

test('a module without the part it should have says so in that place', async () => {
  const sdk = withPanels(async () => ({}));
  renderWithSdk(<Part name="mining/node-card" />, sdk);
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeDefined();
});
