import type { MiningSession } from '@cord/contracts/http/mining';
import { formatTime } from '@cord/sdk';
import { at, offline, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { advance, inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { leasedMining, miningSdk, pausedMining } from '../mining.fixtures';
import { LeaseStage } from './lease.stage';
import { clockOf, leaseState, minutesSpan, missedMicro } from './lease-view';
import { nodeController } from './node-controller';

inFakeTime();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const lease = () => screen.getByTestId('lease');
const minutesLeft = () => lease().getAttribute('data-value');
const clock = (fromNowMs: number) => formatTime(SAMPLE_NOW_MS + fromNowMs);
const extend = () => screen.getByRole('button', { name: 'Extend' });
const announced = () => screen.getByRole('status').textContent;

async function show(session: MiningSession) {
  const sdk = miningSdk(session);
  const { user } = renderWithSdk(<LeaseStage />, sdk);
  await settle();
  return { sdk, user };
}

test('with the page open, the node runs for eight hours after it, and there is no Extend button', async () => {
  await show(leasedMining(8 * HOUR_MS - 9_000));
  expect(lease().textContent).toContain(`Runs until ${clock(8 * HOUR_MS - 9_000)}`);
  expect(lease().textContent).toContain('8 h after you leave. Each visit resets it to 8 h.');
  expect(screen.getByText('Page open')).toBeDefined();
  expect(minutesLeft()).toBe('480');
  expect(screen.queryByRole('button')).toBeNull();
  expect(announced()).toBe('');
});

test('one press on Extend makes an ordinary save', async () => {
  const { sdk, user } = await show(leasedMining(4 * HOUR_MS + 9 * MINUTE_MS));
  expect(lease().textContent).toContain(`4 h 09 min left, last contact ${clock(-(3 * HOUR_MS + 51 * MINUTE_MS))}.`);
  expect(minutesLeft()).toBe('249');
  sdk.api.hang(at.mining.save);
  await user.click(extend());
  expect(screen.getByRole('button').textContent).toBe('Extending...');
  expect(sdk.api.callsOf(at.mining.save)).toHaveLength(1);
});

test('after Extend the text shows by how much for a minute, and the focus stays on the lease', async () => {
  const { sdk, user } = await show(leasedMining(4 * HOUR_MS + 9 * MINUTE_MS));
  await user.click(extend());
  const text = '8 h left. Extended by 3 h 51 min.';
  expect(lease().textContent).toContain(`Runs until ${clock(8 * HOUR_MS)}${text}Extended`);
  expect(announced()).toBe(`Runs until ${clock(8 * HOUR_MS)}. ${text}`);
  expect(document.activeElement).toBe(lease());
  await advance(sdk, MINUTE_MS);
  expect(screen.getByText('Page open')).toBeDefined();
  expect(announced()).toBe('');
});

test('a failed Extend shows until when the node runs, and can be retried', async () => {
  const { sdk, user } = await show(leasedMining(45 * MINUTE_MS));
  expect(lease().textContent).toContain(`Pauses at ${clock(45 * MINUTE_MS)}`);
  expect(lease().textContent).toContain('45 min left. After that nothing is mined until you start it again.');
  sdk.api.fail(at.mining.save, problem(503, 'Failed to save mining progress'));
  await user.click(extend());
  expect(announced()).toBe(`CORD could not be reached. Your node still runs until ${clock(45 * MINUTE_MS)}.`);
  sdk.api.on(at.mining.save, {
    success: true,
    credited: 0,
    newBalance: 0,
    updatedUser: { id: sdk.session.state.get().user?.id ?? '' },
    session: leasedMining(8 * HOUR_MS),
    rateUntil: null,
  });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(announced()).toContain('Extended by 7 h 15 min.');
});

test('while the server is unreachable the time left goes on, up to the pause', async () => {
  const { sdk } = await show(leasedMining(8 * HOUR_MS));
  sdk.api.fail(at.mining.current, offline());
  expect(screen.getByText('Page open')).toBeDefined();
  act(() => sdk.connection.lostAtMs.set(sdk.clock.now()));
  // The server is unreachable from the start.
  expect(screen.queryByText('Page open')).toBeNull();
  expect(lease().textContent).toContain(`8 h left, last contact ${clock(0)}.`);
  expect(extend()).toBeDefined();
  await advance(sdk, 2 * HOUR_MS);
  expect(lease().textContent).toContain(`6 h left, last contact ${clock(0)}.`);
  expect(extend()).toBeDefined();
  await advance(sdk, 6 * HOUR_MS + 5 * MINUTE_MS);
  expect(lease().textContent).toContain(`Paused at ${clock(8 * HOUR_MS)}`);
  expect(lease().textContent).toContain('Not mined5 min');
});

test('a start in progress reserves the place of the lease, so that nothing shifts', async () => {
  const sdk = miningSdk(null);
  sdk.api.hang(at.mining.start);
  const { container } = renderWithSdk(<LeaseStage />, sdk);
  await settle();
  expect(container.querySelector('[class*="place"]')).toBeNull();
  act(() => {
    void nodeController(sdk).start();
  });
  expect(container.querySelector('[class*="place"]')).not.toBeNull();
});

test('an epoch that begins before the end is named with the rate that follows', async () => {
  await show(leasedMining(8 * HOUR_MS, 373 * MINUTE_MS));
  const begins = `Epoch Gamma starts at ${clock(373 * MINUTE_MS)}. Your rate will then be 2.100000 CORD/min.`;
  expect(screen.getByText(begins)).toBeDefined();
  expect(screen.getByText(`${clock(373 * MINUTE_MS)}, ×1.2`)).toBeDefined();
});

test('a paused node shows since when, and what it has missed, minute by minute', async () => {
  const { sdk } = await show(pausedMining(388 * MINUTE_MS));
  expect(screen.getByText(`Paused at ${clock(-388 * MINUTE_MS)}`)).toBeDefined();
  expect(lease().textContent).toContain('Not mined6 h 28 min');
  expect(lease().textContent).toContain('746.90 CORD');
  expect(minutesLeft()).toBe('0');
  await advance(sdk, 2 * MINUTE_MS);
  expect(lease().textContent).toContain('Not mined6 h 30 min');
  // Up to the start of this minute, 17 s ago.
  expect(lease().textContent).toContain('750.20 CORD');
});

test('the missed amount of a node that has just paused is computed from its rate', () => {
  const { missed: _, ...withoutMissed } = pausedMining(10 * MINUTE_MS);
  expect(missedMicro(withoutMissed, 1.925, SAMPLE_NOW_MS)).toBe(19_250_000n);
  expect(missedMicro({ ...withoutMissed, missed: 20 }, 1.925, SAMPLE_NOW_MS + MINUTE_MS)).toBe(21_925_000n);
});

test('a time names its day if more than one midnight lies between', () => {
  const moment = (day: number, hour: number) => new Date(2026, 10, day, hour, 12).getTime();
  expect(clockOf(moment(28, 3), moment(27, 19))).toBe('03:12');
  expect(clockOf(moment(28, 3), moment(30, 1))).toBe('Sat 03:12');
  expect(clockOf(moment(1, 3), moment(30, 1))).toBe('1 Nov, 03:12');
});

test('spans are whole minutes, the last of a lease at least one', () => {
  const spans = [5_000, 45 * MINUTE_MS, 8 * HOUR_MS - 9_000, 249 * MINUTE_MS, 51 * HOUR_MS].map(minutesSpan);
  expect(spans).toEqual(['1 min', '45 min', '8 h', '4 h 09 min', '2 d 3 h']);
});

test('a request to extend has no effect after its minute, even when the lease runs down again', () => {
  const requested = { atMs: 0, untilMs: HOUR_MS };
  const calm = { saving: false, failures: 0, lost: false, requested };
  expect(leaseState({ ...calm, untilMs: 9 * HOUR_MS, nowMs: 2 * HOUR_MS })).toBe('less');
  expect(leaseState({ ...calm, untilMs: 9 * HOUR_MS, nowMs: 8.5 * HOUR_MS })).toBe('soon');
});
