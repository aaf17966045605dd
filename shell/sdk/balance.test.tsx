import { microToNumber } from '@cord/contracts/rules/money';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useBalance } from './balance';
import { at, createTestSdk, SAMPLE_NOW_MS, sampleMining, sampleUser, type TestSdk } from './testing';
import { act, advance, cleanup, renderWithSdk, settled } from './testing/render';
import { createTicker } from './ticker';

const iso = (ms: number) => new Date(ms).toISOString();
const user = sampleUser({ balanceSeq: '100', current_balance: 1_000 });

function Shown() {
  const { micro, growing } = useBalance();
  return (
    <output>
      {micro === null ? 'unknown' : microToNumber(micro)} {growing ? 'growing' : 'still'}
    </output>
  );
}

const shown = () => screen.getByRole('status').textContent;

async function show(sdk: TestSdk) {
  renderWithSdk(<Shown />, sdk);
  await settled(sdk);
}

test('the balance grows each second by the rate of the running node', async () => {
  const sdk = createTestSdk({ user });
  sdk.api.on(at.mining.current, sampleMining({ rateNano: '60000000000' }));
  await show(sdk);
  expect(shown()).toBe('1000 growing');
  await advance(sdk, 1_000);
  expect(shown()).toBe('1001 growing');
  await advance(sdk, 3_600_000);
  expect(shown()).toBe('4601 growing');
});

test('earnings of the node from before the balance was read are not counted twice', async () => {
  const sdk = createTestSdk({ user });
  const readLater = sampleMining({ rateNano: '60000000000', creditedUntil: iso(SAMPLE_NOW_MS - 60_000) });
  sdk.api.on(at.mining.current, readLater);
  await show(sdk);
  expect(shown()).toBe('1000 growing');
});

test('reading the node again between two saves does not lower the balance', async () => {
  const sdk = createTestSdk({ user });
  const rateNano = '60000000000';
  sdk.api.on(at.mining.current, sampleMining({ rateNano, newBalance: 1_000, balanceSeq: '100' }));
  await show(sdk);
  await advance(sdk, 5_000);
  expect(shown()).toBe('1005 growing');
  const readAt = iso(SAMPLE_NOW_MS + 5_000);
  const credited = { creditedUntil: readAt, serverTime: readAt, newBalance: 1_005, balanceSeq: '101' };
  sdk.session.observeNode(sampleMining({ rateNano, ...credited }));
  await advance(sdk, 1_000);
  expect(shown()).toBe('1006 growing');
});

test('when a node was stopped elsewhere, the balance does not drop before its earnings are read', async () => {
  const sdk = createTestSdk({ user });
  sdk.api.on(at.mining.current, sampleMining({ rateNano: '60000000000' }));
  await show(sdk);
  await advance(sdk, 1_200_000);
  expect(shown()).toBe('2200 growing');
  const seen: (string | null)[] = [];
  const watch = new MutationObserver(() => seen.push(shown()));
  watch.observe(screen.getByRole('status'), { subtree: true, characterData: true });
  const read = { ...user, balanceSeq: '101', balanceAt: iso(sdk.clock.now()), current_balance: 2_190 };
  sdk.api.on(at.users.get, () => new Promise((resolve) => setTimeout(resolve, 50, read)));
  sdk.api.on(at.mining.current, null);
  await act(() => sdk.queries.refetchQueries({ queryKey: ['node', user.id] }));
  await settled(sdk);
  watch.disconnect();
  expect(shown()).toBe('2190 still');
  expect(seen.filter((text) => text?.startsWith('1000'))).toEqual([]);
});

test('the balance stands still without a running node, and from the end of the lease', async () => {
  const sdk = createTestSdk({ user });
  sdk.api.on(at.mining.current, null);
  await show(sdk);
  await advance(sdk, 60_000);
  expect(shown()).toBe('1000 still');
  cleanup();

  const leased = createTestSdk({ user });
  const leaseUntil = iso(SAMPLE_NOW_MS + 10_000);
  leased.api.on(at.mining.current, sampleMining({ rateNano: '60000000000', leaseUntil }));
  await show(leased);
  await advance(leased, 3_600_000);
  expect(shown()).toBe('1010 still');
});

test('while the ledger does not respond, the balance is unknown, never 0', async () => {
  const sdk = createTestSdk({ user: sampleUser({ balanceSeq: null, current_balance: null }) });
  sdk.api.on(at.mining.current, null);
  await show(sdk);
  expect(shown()).toBe('unknown still');
});

test('the ticker ticks at once when the tab becomes visible, and keeps no timer after the last unsubscribe', () => {
  vi.useFakeTimers();
  const ticker = createTicker(1_000);
  const listener = vi.fn();
  const stop = ticker.subscribe(listener);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(listener).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(3_000);
  expect(listener).toHaveBeenCalledTimes(4);
  for (const wakes of ['focus', 'pageshow', 'online']) window.dispatchEvent(new Event(wakes));
  expect(listener).toHaveBeenCalledTimes(7);
  const stopOther = ticker.subscribe(() => undefined);
  stop();
  expect(vi.getTimerCount()).toBe(1);
  stopOther();
  expect(vi.getTimerCount()).toBe(0);
  window.dispatchEvent(new Event('focus'));
  expect(listener).toHaveBeenCalledTimes(7);
});
