import { TabErrorPanel } from '@cord/ui';
import { screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { AreaBoundary } from './area-boundary';
import { Lazy, type LazyFile, lazyFile } from './lazy';
import { createTestSdk, type TestSdk } from './testing';
import { act, renderWithSdk } from './testing/render';

/** A file of the shell whose availability the test controls. */
function show(prepare: (sdk: TestSdk) => void = () => undefined) {
  const file = { there: false, fetches: 0 };
  const load = async () => {
    file.fetches += 1;
    if (!file.there) throw new Error('404');
    return () => <p>the page</p>;
  };
  const sdk = createTestSdk();
  prepare(sdk);
  const part = lazyFile(load);
  const view = renderWithSdk(
    <Lazy
      of={part}
      part="settings"
      failed={(again) => <TabErrorPanel title="Settings could not be loaded" {...again} />}
    />,
    sdk,
  );
  return { file, sdk, ...view };
}

describe('a lazy file that does not load', () => {
  it('shows its error with Retry, and its content once the file is available', async () => {
    const { file, user } = show();
    expect((await screen.findByTestId('error-panel')).textContent).toContain('Settings could not be loaded');
    file.there = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('the page')).toBeTruthy();
  });

  it('offers Reload after the second failure, as a new release may have removed the file', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('is reported by the name of its part', async () => {
    const { sdk } = show();
    await screen.findByTestId('error-panel');
    expect(sdk.reported).toEqual([{ error: expect.objectContaining({ message: '404' }), place: { part: 'settings' } }]);
  });

  it('is fetched again when the connection is back', async () => {
    const { file, sdk } = show();
    await screen.findByTestId('error-panel');
    await act(async () => sdk.connection.lostAtMs.set(1));
    file.there = true;
    await act(async () => sdk.connection.lostAtMs.set(null));
    expect(await screen.findByText('the page')).toBeTruthy();
    expect(file.fetches).toBe(2);
  });

  it('is loaded again on recovery if the connection was lost before it failed', async () => {
    const { file, sdk } = show((made) => made.connection.lostAtMs.set(1));
    await screen.findByTestId('error-panel');
    file.there = true;
    await act(async () => sdk.connection.lostAtMs.set(null));
    expect(await screen.findByText('the page')).toBeTruthy();
  });

  it('is fetched again by itself when it fails while the connection recovers', async () => {
    const { file, sdk } = show((made) => {
      made.connection.isRecovering = () => true;
    });
    await screen.findByTestId('error-panel');
    expect(sdk.connection.lostAtMs.get()).toBeNull();
    expect(file.fetches).toBe(1);
    file.there = true;
    expect(await screen.findByText('the page', {}, { timeout: 5_000 })).toBeTruthy();
    expect(file.fetches).toBe(2);
  });

  it('waits for Retry once the connection has recovered', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { file } = show();
    await screen.findByTestId('error-panel');
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(file.fetches).toBe(1);
    vi.useRealTimers();
  });
});

it('a preloaded file is shown in the first render, without a skeleton', async () => {
  const file = lazyFile(async () => () => <p>the page</p>);
  expect(await file.preload()).toBe(true);
  renderWithSdk(<Lazy of={file} part="settings" loading={<p>skeleton</p>} failed={() => null} />, createTestSdk());
  expect(screen.getByText('the page')).toBeTruthy();
  expect(screen.queryByText('skeleton')).toBeNull();
});

it('without its own error text, a lazy file fails in the boundary around it, and Retry loads it again', async () => {
  const load = async () => {
    fetches += 1;
    if (fetches === 1) throw new Error('404');
    return () => <p>the card</p>;
  };
  let fetches = 0;
  const sdk = createTestSdk();
  const file = lazyFile(load);
  const { user } = renderWithSdk(
    <AreaBoundary
      place={{ part: 'mining/card' }}
      fallback={({ onRetry }) => (
        <button type="button" onClick={onRetry}>
          Retry
        </button>
      )}
    >
      <Lazy of={file} part="mining/card" />
    </AreaBoundary>,
    sdk,
  );
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('the card')).toBeTruthy();
  expect(sdk.reported).toHaveLength(1);
});

/** A file that may not be loaded yet. */
const late = { come: false };
const LateMenu = () => <p>the menu</p>;

/** As on a slow phone: a preloaded file arrives while the screen renders. */
function Comes() {
  useLayoutEffect(() => {
    late.come = true;
  }, []);
  return null;
}

it('a file is shown even if it arrives between the render that requested it and the effects of that render', async () => {
  const file: LazyFile = {
    load: async () => LateMenu,
    preload: async () => true,
    loaded: () => (late.come ? LateMenu : null),
  };
  renderWithSdk(
    <>
      <Lazy of={file} part="menu" />
      <Comes />
    </>,
    createTestSdk(),
  );
  expect(await screen.findByText('the menu')).toBeTruthy();
});
