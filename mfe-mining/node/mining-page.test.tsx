import { formatWhen } from '@cord/sdk';
import {
  at,
  createTestSdk,
  offline,
  problem,
  SAMPLE_NOW_MS,
  sampleCheck,
  sampleMining,
  sampleUser,
  type TestSdk,
} from '@cord/sdk/testing';
import {
  act,
  advance,
  backInReach,
  cleanup,
  inFakeTime,
  outOfReach,
  renderWithSdk,
  settle,
} from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { miningSdk, NODE_STATS } from '../mining.fixtures';
import { MiningPage } from './mining-page';
import { NodeCard } from './node-card';
import { nodeController } from './node-controller';

inFakeTime();

const iso = (ms: number) => new Date(ms).toISOString();
const value = (testId: string) => screen.getByTestId(testId).getAttribute('data-value');
const text = (testId: string) => screen.getByTestId(testId).textContent;
const toggle = () => screen.getByTestId('node-toggle');

let letGo = () => undefined as unknown;
afterEach(() => letGo());

async function show(sdk: TestSdk, what = <MiningPage />) {
  letGo = nodeController(sdk).saver.run();
  const view = renderWithSdk(what, sdk);
  await settle();
  return view;
}

test('a running node shows its earnings, rate, uptime, efficiency and simulated hash rate', async () => {
  await show(miningSdk(sampleMining()));
  expect(text('session-earned')).toBe('419.33');
  expect(text('rate')).toBe('1.925000');
  expect(text('uptime')).toBe('03:42:17');
  expect(value('uptime')).toBe('13337');
  expect(value('efficiency')).toBe('98');
  expect(screen.getByText('Hash rate, simulated')).toBeDefined();
  expect(screen.getByText('184.2 H/s')).toBeDefined();
  expect(screen.getByText('4 min 26 s of this session could not be credited.')).toBeDefined();
  expect(screen.getByText('1 CORD every 31 s')).toBeDefined();
  expect(screen.getByText('ONLINE')).toBeDefined();
  expect(toggle().textContent).toBe('Stop Mining');
});

test('a page that opens while the server is unreachable shows a dash and Unknown for unread values', async () => {
  const sdk = miningSdk(sampleMining());
  await outOfReach(sdk);
  await show(sdk);
  const shown = [/^Total uptime.*–/, /^Security level.*–/].map(
    (label) =>
      screen.queryByText((_, element) => {
        return element?.parentElement?.tagName === 'DL' && label.test(element.textContent ?? '');
      }) !== null,
  );
  const unknown = screen.queryAllByText('Unknown').length;
  await backInReach(sdk);
  expect([...shown, unknown]).toEqual([true, true, 4]);
  await settle();
  expect(screen.queryByText('Unknown')).toBeNull();
});

test('while the server is unreachable the dial shows LAST KNOWN with its time, and actions wait', async () => {
  const sdk = miningSdk(sampleMining());
  await show(sdk);
  await act(async () => sdk.connection.lostAtMs.set(sdk.clock.now()));
  expect(screen.getByText('LAST KNOWN')).toBeDefined();
  expect(screen.queryByText('ONLINE')).toBeNull();
  expect(screen.getByText(/^CORD, at \d\d:\d\d$/)).toBeDefined();
  expect(screen.getByText(/^known at \d\d:\d\d$/)).toBeDefined();
  expect(screen.getByText('Available when you are back online.')).toBeDefined();
  expect(screen.queryByText('1 CORD every 31 s')).toBeNull();
  await act(async () => sdk.connection.lostAtMs.set(null));
  expect(screen.queryByText('LAST KNOWN')).toBeNull();
});

test('earnings and uptime tick every second, by the server’s clock', async () => {
  const sdk = miningSdk(sampleMining());
  await show(sdk);
  const shown: number[] = [];
  for (let second = 0; second < 9; second += 1) {
    shown.push(Number(value('session-earned')));
    await advance(sdk, 1_000);
  }
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  expect(Number(value('session-earned'))).toBeCloseTo(419.33 + (1.925 * 9) / 60, 5);
  expect(text('uptime')).toBe('03:42:26');
});

test('after two hours of sleep the first render is right', async () => {
  const sdk = miningSdk(sampleMining());
  sdk.api.hang(at.mining.save);
  await show(sdk);
  await advance(sdk, 2 * 3_600_000);
  expect(Number(value('session-earned'))).toBeCloseTo(419.33 + 1.925 * 120, 5);
  expect(text('uptime')).toBe('05:42:17');
});

test('starting shows Starting..., ignores a second press, and ends running', async () => {
  const sdk = miningSdk(null);
  const { user } = await show(sdk);
  expect(screen.getByText('OFFLINE')).toBeDefined();
  expect(text('session-earned')).toBe('0.00');
  await user.click(toggle());
  expect(toggle().textContent).toBe('Starting...');
  expect(toggle().getAttribute('aria-disabled')).toBe('true');
  await user.click(toggle());
  await settle(1_600);
  expect(toggle().textContent).toBe('Stop Mining');
  expect(sdk.api.callsOf(at.mining.start)).toHaveLength(1);
  expect(sdk.shown.map(({ title, text: body, durationMs }) => [title, body, durationMs])).toEqual([
    ['Mining Node Started!', 'Earning 1.925000 CORD/min', 4_000],
  ]);
});

test('stopping ends with an idle node, uptime 0 and the session’s sum in a toast', async () => {
  const sdk = miningSdk(sampleMining());
  const { user } = await show(sdk);
  await user.click(toggle());
  expect(toggle().textContent).toBe('Start Mining');
  expect(text('uptime')).toBe('00:00:00');
  expect(sdk.shown.map(({ title, text: body }) => [title, body])).toEqual([
    ['Mining Node Stopped', 'Session earned: 419.33 CORD'],
  ]);
});

test('while stopping, the button shows Stopping... and is busy', async () => {
  const sdk = miningSdk(sampleMining());
  sdk.api.hang(at.mining.end);
  const { user } = await show(sdk);
  await user.click(toggle());
  expect(toggle().textContent).toBe('Stopping...');
  expect(toggle().getAttribute('aria-busy')).toBe('true');
});

test('Save now works once there is something to save', async () => {
  const sdk = miningSdk(sampleMining());
  const { user } = await show(sdk);
  const button = () => screen.getByRole('button', { name: /Save now/ });
  await user.click(button());
  expect(sdk.api.callsOf(at.mining.save)).toHaveLength(0);
  await advance(sdk, 2_000);
  await user.click(button());
  expect(sdk.api.callsOf(at.mining.save)).toHaveLength(1);
  expect(screen.getByText('Saved just now, every 10 s.')).toBeDefined();
});

test('Save now shows Saving...; the saves every 10 s do not change the button', async () => {
  const sdk = miningSdk(sampleMining());
  sdk.api.hang(at.mining.save);
  await show(sdk);
  await advance(sdk, 10_000);
  expect(sdk.api.callsOf(at.mining.save)).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Save now' }).getAttribute('aria-busy')).toBeNull();
  cleanup();

  const other = miningSdk(sampleMining());
  other.api.hang(at.mining.save);
  const { user } = await show(other);
  await advance(other, 1_000);
  await user.click(screen.getByRole('button', { name: 'Save now' }));
  expect(screen.getByRole('button', { name: 'Saving...' }).getAttribute('aria-disabled')).toBe('true');
});

test('a failed save shows when it is retried and that nothing is lost; earnings continue', async () => {
  const sdk = miningSdk(sampleMining());
  sdk.api.fail(at.mining.save, offline('Failed to save mining progress'));
  await show(sdk);
  await advance(sdk, 10_000);
  expect(screen.getByText('The last save failed. Trying again in 1 s. Nothing is lost.')).toBeDefined();
  expect(Number(value('session-earned'))).toBeGreaterThan(419.6);
  expect(screen.getByText('The last save failed')).toBeDefined();
});

test('a node paused by its lease shows since when, keeps its sum, and offers a start', async () => {
  await show(
    miningSdk(
      sampleMining({
        status: 'paused',
        earnings: 924,
        startedAt: iso(SAMPLE_NOW_MS - 9 * 3_600_000),
        creditedUntil: iso(SAMPLE_NOW_MS - 3_600_000),
        leaseUntil: iso(SAMPLE_NOW_MS - 3_600_000),
      }),
    ),
  );
  expect(screen.getByText('PAUSED')).toBeDefined();
  expect(text('session-earned')).toBe('924.00');
  expect(text('uptime')).toBe('08:00:00');
  expect(screen.getByText(/^Paused at \d\d:03$/)).toBeDefined();
  expect(screen.getByText('Starts a new session')).toBeDefined();
  expect(toggle().textContent).toBe('Start Mining');
});

test('a node that cannot be read shows an error and no number, and Retry reads it', async () => {
  const sdk = miningSdk(sampleMining());
  sdk.api.fail(at.mining.current, problem(500, 'Failed to get current session'));
  const { user } = await show(sdk);
  expect(text('session-earned')).toBe('–');
  expect(screen.getByText('Failed to get current session')).toBeDefined();
  sdk.api.on(at.mining.current, sampleMining());
  await user.click(toggle());
  expect(text('session-earned')).toBe('419.33');
});

test('an invalid start time gives an uptime of 0', async () => {
  await show(miningSdk(sampleMining({ startedAt: 'never' })));
  expect(text('uptime')).toBe('00:00:00');
});

test('the explanation of the rate adds up: each factor, what it adds, and the total', async () => {
  await show(miningSdk(sampleMining()));
  const table = screen.getByRole('table');
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ['Base rate', '', '0.500000'],
    ['Account age, 5.4 years', '×3.5', '+1.250000'],
    ['Epoch Beta', '×1.1', '+0.175000'],
    ['Badge of Honor, not owned', '×1', '0.000000'],
    ['Network check: Clean', '×1', '0.000000'],
    ['Your rate', '×3.85', '1.925000'],
  ]);
  expect(screen.getByText('The cord shows the same parts: 26% base, 65% account age, 9% epoch.')).toBeDefined();
});

test('a shared network shows its level, its reason, and its reduction of the rate', async () => {
  const sdk = miningSdk(
    sampleMining({ efficiency: 75, factors: { tier: 3.5, antiCheat: 0.75, badge: false, epoch: 1, epochId: null } }),
  );
  const shared = { isFlagged: true, totalUsersOnIp: 3, otherUsersOnIp: 2 };
  sdk.api.on(at.support.anticheat, sampleCheck({ ...shared, penaltyLevel: 1, efficiencyMultiplier: 0.75 }));
  await show(sdk);
  expect(screen.getByText('Level 1')).toBeDefined();
  expect(
    screen.getByText(
      '2 other accounts have mined from your network address in the last 30 days. Your mining rate is reduced to 75%. You can appeal in Settings.',
    ),
  ).toBeDefined();
  expect(screen.getByText('3 accounts on this network: ×0.75 of the rate')).toBeDefined();
  expect(screen.getByText('-0.437500')).toBeDefined();
});

test('the system status is that of the gateway, and Unknown without one', async () => {
  const sdk = miningSdk(sampleMining());
  sdk.api.healthy = { status: 'degraded', services: { mining: 'ok', tasks: 'ok', leaderboard: 'down', rewards: 'ok' } };
  await show(sdk);
  const row = screen.getByText('Rankings').closest('li');
  expect(row?.textContent).toContain('Not answering');
  expect(screen.getByText('Accrual').closest('li')?.textContent).toContain('Working');
  expect(screen.getByText(`checked ${formatWhen(sdk.clock.now(), sdk.clock.now())}`)).toBeDefined();
  cleanup();

  const deaf = miningSdk(sampleMining());
  deaf.api.healthy = null;
  await show(deaf);
  expect(screen.getByText('Accrual').closest('li')?.textContent).toContain('Unknown');
});

test('total uptime grows with the running node', async () => {
  const sdk = miningSdk(sampleMining());
  await show(sdk);
  expect(screen.getByText('391:08:44')).toBeDefined();
  await advance(sdk, 2_000);
  expect(screen.getByText('391:08:46')).toBeDefined();
});

test('until the sum of a started node is read, total uptime adds no time from before the start', async () => {
  const sdk = miningSdk(null);
  sdk.api.on(at.mining.stats, { ...NODE_STATS, isActive: false });
  await show(sdk);
  await advance(sdk, 60_000);
  sdk.api.hang(at.mining.stats);
  act(() => toggle().click());
  await settle(2_000);
  expect(toggle().textContent).toBe('Stop Mining');
  expect(screen.queryByText(/^391:09:/)).toBeNull();
  expect(screen.getByText('391:08:44')).toBeDefined();
});

test('total uptime does not drop while the node stops, nor before the new sum is read', async () => {
  const sdk = miningSdk(sampleMining());
  await show(sdk);
  await advance(sdk, 60_000);
  expect(screen.getByText('391:09:44')).toBeDefined();
  sdk.api.hang(at.mining.end);
  act(() => toggle().click());
  await advance(sdk, 1_000);
  expect(screen.getByText('391:09:45')).toBeDefined();
  cleanup();

  const stopped = miningSdk(sampleMining());
  await show(stopped);
  await advance(stopped, 60_000);
  stopped.api.hang(at.mining.stats);
  act(() => toggle().click());
  await advance(stopped, 1_000);
  expect(toggle().textContent).toBe('Start Mining');
  expect(screen.queryByText('391:08:44')).toBeNull();
});

test('total uptime of a node whose lease has just ended includes the time until then', async () => {
  const sdk = miningSdk(sampleMining({ leaseUntil: iso(SAMPLE_NOW_MS + 30_000) }));
  sdk.api.hang(at.mining.save);
  await show(sdk);
  sdk.api.hang(at.mining.stats);
  await advance(sdk, 60_000);
  expect(toggle().textContent).toBe('Start Mining');
  expect(screen.getByText('391:09:14')).toBeDefined();
});

test('the card on the dashboard and the page show the same node, with one save', async () => {
  const sdk = miningSdk(sampleMining());
  await show(
    sdk,
    <>
      <NodeCard />
      <MiningPage />
    </>,
  );
  await advance(sdk, 5_000);
  const [card, page] = screen.getAllByTestId('session-earned').map((each) => each.textContent);
  expect(card).toBe(page);
  await advance(sdk, 5_000);
  expect(sdk.api.callsOf(at.mining.save)).toHaveLength(1);
});

test('a node that is still loading is not shown as OFFLINE', async () => {
  const sdk = miningSdk(null);
  sdk.api.hang(at.mining.current);
  await show(sdk);
  expect([screen.queryByText('OFFLINE'), text('session-earned')]).toEqual([null, '–']);
});

test('an idle node shows the rate that a start would bring, and no efficiency', async () => {
  await show(miningSdk(null, { user: sampleUser({ rate: 1.925 }) }));
  expect(text('rate')).toBe('1.925000');
  expect(value('efficiency')).toBeNull();
  expect(screen.getByText('Start the node to earn. It keeps running for 8 h after you leave.')).toBeDefined();
});

test('the switch for the warning before a pause comes from the shell; a shell without it leaves the place empty', async () => {
  const lending = createTestSdk({ parts: { shell: { 'pause-warning': () => <p>Warn me</p> } } });
  const sdk = miningSdk(null);
  await show(Object.assign(sdk, { parts: lending.parts }));
  expect(screen.getByText('Warn me')).toBeDefined();
  cleanup();
  const bare = miningSdk(null);
  await show(bare);
  expect([screen.queryByText('Warn me'), bare.reported]).toEqual([null, []]);
});

test('each number is explained with its formula and inputs', async () => {
  const { user } = await show(miningSdk(sampleMining()));
  await expectWhys(user, [
    ['Session earned', /Credited by the server419\.33Mined since then\+0\.00Current rate1\.925000/],
    ['Uptime', /With the page closed, it continues for up to 8 hours/],
    ['Total uptime', /The total time of all your sessions/],
    ['Efficiency', /seconds that were credited/],
  ]);
});

test('the explanation of an idle node contains no rate', async () => {
  const { user } = await show(miningSdk(null, { user: sampleUser({ rate: 1.925 }) }));
  await expectWhys(user, [['Session earned', /Credited by the server0\.00(?!Mined)/]]);
});
