import { screen } from '@testing-library/react';
import { Activity } from 'react';
import { expect, test, vi } from 'vitest';
import type { Again } from './area-boundary';
import { PagePlace } from './page-place';
import { Part } from './parts';
import { SdkProvider } from './sdk';
import { createTestSdk } from './testing';
import { act, renderWithSdk } from './testing/render';

function withPanels(load: () => Promise<() => React.ReactNode>) {
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

function RetryButton({ onRetry, reload }: Again) {
  return (
    <button type="button" onClick={onRetry}>
      {reload ? 'Reload' : 'Retry'}
    </button>
  );
}

test('a part shows a skeleton at once, then its content', async () => {
  const sdk = withPanels(async () => () => <p>the card</p>);
  renderWithSdk(<Part name="mining/node-card" />, sdk);
  expect(screen.getByText('loading')).toBeDefined();
  expect(await screen.findByText('the card')).toBeDefined();
});

test('a module that does not load fails in its own place only, and Retry loads it again', async () => {
  let there = false;
  const sdk = withPanels(async () => {
    if (!there) throw new Error('gone');
    return () => <p>the card</p>;
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
  expect(sdk.parts.load).toHaveBeenLastCalledWith('mining/node-card', { fresh: true });
});

test('a part that throws while it renders fails in its own place, and is reported', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const sdk = withPanels(async () => () => {
    throw new Error('broken');
  });
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

test('each place of a module that does not load offers Retry first, then Reload', async () => {
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

/** Renders a part with a new build, outside of every page and in a kept page. */
function withReleases() {
  let release = '1';
  const sdk = createTestSdk();
  sdk.parts = {
    ...sdk.parts,
    releaseOf: () => release,
    load: vi.fn(async () => {
      const text = `build ${release}`;
      return () => <p>{text}</p>;
    }),
  };
  const publish = (next: string) => {
    release = next;
  };
  return { sdk, publish };
}

test('outside of pages, a new build replaces the old one at the next change of tab, not sooner', async () => {
  const { sdk, publish } = withReleases();
  const { rerender } = renderWithSdk(<Part name="wallet/wallet-button" />, sdk);
  await screen.findByText('build 1');
  publish('2');
  rerender(
    <SdkProvider sdk={sdk}>
      <Part name="wallet/wallet-button" size="compact" />
    </SdkProvider>,
  );
  expect(screen.getByText('build 1')).toBeDefined();
  await act(async () => sdk.tabs.go('tasks'));
  expect(await screen.findByText('build 2')).toBeDefined();
  await act(async () => sdk.tabs.go('dashboard'));
  expect(sdk.parts.load).toHaveBeenCalledTimes(2);
});

test('in a kept page, a new build is shown when the page returns; without one the page is as it was left', async () => {
  const { sdk, publish } = withReleases();
  const page = (mode: 'visible' | 'hidden') => (
    <PagePlace tab="dashboard" onScreen={mode === 'visible'}>
      <Activity mode={mode}>
        <Part name="wallet/badge-card" />
      </Activity>
    </PagePlace>
  );
  const view = renderWithSdk(page('visible'), sdk);
  const show = (mode: 'visible' | 'hidden') => view.rerender(<SdkProvider sdk={sdk}>{page(mode)}</SdkProvider>);
  const first = await screen.findByText('build 1');
  show('hidden');
  show('visible');
  expect(screen.getByText('build 1')).toBe(first);
  show('hidden');
  publish('2');
  show('visible');
  expect(await screen.findByText('build 2')).toBeDefined();
});
