import { at, createTestSdk, offline, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { cleanup, inFakeTime, settle } from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { completedOn } from './task-view';
import { CHECKIN, sampleTask, TASKS, tasksSdk } from './tasks.fixtures';
import { buttonIn, card, show, toasts } from './tasks.stage';
import { TasksCard } from './tasks-card';

inFakeTime();

test('the summary shows the completed tasks, their rewards, the progress and the streak', async () => {
  await show(tasksSdk());
  const cell = (label: string) => screen.getByText(label, { selector: 'dt span' }).closest('div')?.textContent;
  expect(cell('Completed')).toBe('Completed3of 9');
  expect(cell('Total rewards')).toBe('Total rewards3,360.00');
  expect(cell('Progress')).toBe('Progress33%');
  expect(cell('Streak')).toBe('Streak12days');
  expect(screen.getByTestId('streak').getAttribute('data-value')).toBe('12');
});

test('a link visited on another day shows the day', async () => {
  const social = { socialUrl: 'https://example.org', claimable: true, progress: 1 };
  const visited = (id: string, visitedAt: string) => sampleTask({ id, ...social, visitedAt });
  await show(tasksSdk([visited('one', '2026-11-21T10:14:00Z'), visited('two', '2026-11-18T10:14:00Z')]));
  expect(card('one').textContent).toContain('Visited at 10:14. You can claim it now.');
  expect(card('two').textContent).toContain('Visited at 18 Nov, 10:14. You can claim it now.');
  expect(buttonIn('one', /^Visit .+ again$/)).toBeDefined();
});

test('a task of an unknown kind, and a claimed link, have their own text', async () => {
  const done = { socialUrl: 'https://example.org', completed: true, visitedAt: '2026-11-21T10:14:00Z' };
  await show(
    tasksSdk([
      sampleTask({ id: 'new', type: 'seasonal', category: 'seasonal' }),
      sampleTask({ id: 'done', description: 'Follow us', ...done }),
    ]),
  );
  expect(card('new').textContent).toMatch(/^Task/);
  expect(card('done').textContent).toContain('Follow us');
});

test('chips count and filter their tasks; an empty one shows No tasks available', async () => {
  const { user } = await show(tasksSdk(TASKS.filter(({ type }) => type !== 'weekly')));
  const chips = screen.getAllByRole('radio').map((chip) => chip.closest('label')?.textContent);
  expect(chips).toEqual(['All8', 'Daily2', 'Weekly0', 'Social3', 'Achievement3']);
  await user.click(screen.getByRole('radio', { name: /Social/ }));
  expect(screen.getAllByTestId(/^task-/)).toHaveLength(3);
  await user.click(screen.getByRole('radio', { name: /Weekly/ }));
  expect(screen.getByText('No tasks available')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show all' }));
  expect(screen.getAllByTestId(/^task-/)).toHaveLength(8);
});

test('the category is restored in this tab with a short notice, and Start over shows all', async () => {
  sessionStorage.clear();
  const sdk = tasksSdk();
  sdk.tabs.current.set('tasks');
  const { user } = await show(sdk);
  await user.click(screen.getByRole('radio', { name: /Social/ }));
  cleanup();
  sdk.tabs.setParam('tasks', 'category', null);
  sdk.clock.advance(12 * 60_000);
  const again = await show(sdk);
  expect(document.body.textContent).toMatch(/As you left it( 12 min ago)?: Social\.Start over/);
  expect(screen.getAllByTestId(/^task-/)).toHaveLength(3);
  await again.user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(sdk.tabs.params.get().tasks).toEqual({});
  expect(document.body.textContent).not.toContain('As you left it');
});

test('completed tasks are last; one completed now keeps its place until the filter changes', async () => {
  const sdk = tasksSdk([
    sampleTask({ id: 'done', completed: true }),
    sampleTask({ id: 'open' }),
    sampleTask({ id: 'ready', claimable: true, progress: 1 }),
    sampleTask({ id: 'other' }),
  ]);
  const { user } = await show(sdk);
  const order = () => screen.getAllByTestId(/^task-/).map((each) => each.dataset.testid);
  expect(order()).toEqual(['task-open', 'task-ready', 'task-other', 'task-done']);
  await user.click(buttonIn('ready', /^Claim/));
  expect(within(card('ready')).getByText('Completed')).toBeDefined();
  expect(order()).toEqual(['task-open', 'task-ready', 'task-other', 'task-done']);
  await user.click(screen.getByRole('radio', { name: /Daily/ }));
  await user.click(screen.getByRole('radio', { name: /All/ }));
  expect(order()).toEqual(['task-open', 'task-other', 'task-done', 'task-ready']);
});

test('a list that cannot be read shows a toast for 5 s and no tasks, and Retry reads it', async () => {
  const sdk = tasksSdk();
  sdk.api.fail(at.tasks.mine, offline('Failed to fetch user tasks'));
  const { user } = await show(sdk);
  expect(toasts(sdk)).toEqual([['error', 'Loading Error', 'Failed to load tasks. Please refresh the page.', 5_000]]);
  expect(screen.queryByTestId(/^task-/)).toBeNull();
  sdk.api.on(at.tasks.mine, TASKS);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getAllByTestId(/^task-/)).toHaveLength(9);
});

test.each([
  ['the page', false, undefined],
  ['the page, while the live stream stands', true, undefined],
  ['the card on the dashboard, while the live stream stands', true, <TasksCard key="card" />],
])('the list is read again every 30 s, but not in a hidden page: %s', async (_where, streaming, what) => {
  const sdk = tasksSdk();
  sdk.live.open.set(streaming);
  await show(sdk, what);
  const reads = () => sdk.api.callsOf(at.tasks.mine).length;
  await settle(30_100);
  expect(reads()).toBe(2);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await settle(60_200);
  expect(reads()).toBe(2);
  visibility.mockRestore();
});

test('a social task opens its link, is marked as visited, and can then be claimed', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const task = sampleTask({ id: 'follow-x', type: 'social', socialUrl: 'https://x.com/cordmining' });
  const sdk = tasksSdk([task]);
  const { user } = await show(sdk);
  expect(within(card('follow-x')).getByText('Not visited yet')).toBeDefined();
  await user.click(buttonIn('follow-x', 'Visit'));
  expect(open).toHaveBeenCalledWith('https://x.com/cordmining', '_blank', 'noopener,noreferrer');
  expect(sdk.api.callsOf(at.tasks.visit)).toHaveLength(1);
  expect(within(card('follow-x')).getByText('Visited')).toBeDefined();
  expect(buttonIn('follow-x', /^Claim/)).toBeDefined();
});

test('a list requested before a visit does not undo the visit when it arrives later', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const task = sampleTask({ id: 'follow-x', type: 'social', socialUrl: 'https://x.com/cordmining' });
  const sdk = tasksSdk([task]);
  const { user } = await show(sdk);
  const late = sdk.api.hold(at.tasks.mine);
  await user.click(screen.getByRole('button', { name: /^Updated/ }));
  await user.click(buttonIn('follow-x', 'Visit'));
  expect(buttonIn('follow-x', /^Claim/)).toBeDefined();
  late.answer([task]);
  await settle();
  expect(buttonIn('follow-x', /^Claim/)).toBeDefined();
});

test('a visit is sent with keepalive and retried; a failed one shows a toast', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const task = sampleTask({ id: 'follow-x', type: 'social', socialUrl: 'https://x.com/cordmining' });
  const sdk = tasksSdk([task]);
  sdk.api.fail(at.tasks.visit, offline());
  const { user } = await show(sdk);
  await user.click(buttonIn('follow-x', 'Visit'));
  const visits = sdk.api.callsOf(at.tasks.visit);
  expect(visits.every(({ keepalive }) => keepalive)).toBe(true);
  expect(visits.length).toBeGreaterThan(1);
  expect(toasts(sdk)).toEqual([
    ['error', 'Visit not noted', 'Network error. Check your connection and try again.', 5_000],
  ]);
});

test('a task that cannot be claimed yet shows why or when', async () => {
  const ending = sampleTask({ id: 'ends', expiresAt: new Date(SAMPLE_NOW_MS + 2 * 3_600_000).toISOString() });
  await show(tasksSdk([...TASKS, ending]));
  expect(within(card('ends')).getByText('Ends in 2 h')).toBeDefined();
  expect(within(card('weekly-mining')).getByText('Resets in 1 d 12 h')).toBeDefined();
  expect(within(card('social-media-master')).getByText('2 social tasks to go')).toBeDefined();
  expect(within(card('mine-1-hour')).getByText('01:00:00 of 01:00:00')).toBeDefined();
  expect(within(card('weekly-mining')).getByText('640.12 of 1,000.00')).toBeDefined();
});

test('a task that is over shows that, and offers neither a visit nor a claim', async () => {
  const expiresAt = new Date(SAMPLE_NOW_MS).toISOString();
  const social = { type: 'social', socialUrl: 'https://x.com/cordmining', expiresAt } as const;
  const visited = sampleTask({ id: 'visited', ...social, visitedAt: expiresAt });
  await show(tasksSdk([...TASKS, visited, sampleTask({ id: 'unvisited', ...social })]));
  for (const id of ['visited', 'unvisited']) {
    expect(within(card(id)).getByText('Ended')).toBeDefined();
    expect(within(card(id)).queryByRole('button')).toBeNull();
    expect(card(id).textContent).not.toContain('You can claim it now');
  }
});

test('the account age task is shown in years, even when completed', async () => {
  await show(tasksSdk());
  expect(within(card('early-adopter')).getByText('5 of 5 years')).toBeDefined();
});

test('a claimed daily task shows how long until it opens again', async () => {
  const again = new Date(SAMPLE_NOW_MS + 20 * 3_600_000).toISOString();
  await show(
    tasksSdk([
      sampleTask({ id: 'd', type: 'daily', completed: true, claimedAt: new Date().toISOString(), availableAt: again }),
    ]),
  );
  expect(within(card('d')).getByText('Again in 20 h')).toBeDefined();
});

test('the card on the dashboard shows what can be claimed, and leads to the Task Center', async () => {
  const sdk = tasksSdk();
  const { user } = await show(sdk, <TasksCard />);
  expect(screen.getByText('of 9 completed')).toBeDefined();
  expect(screen.getByText('3,360.00 CORD earned')).toBeDefined();
  expect(screen.getByText('122.50 to claim')).toBeDefined();
  expect(screen.getByText('175.00 to claim')).toBeDefined();
  expect(screen.getByText('12-day streak')).toBeDefined();
  expect(screen.getByText('Check in today for 115 CORD')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Open Task Center' }));
  expect(sdk.tabs.current.get()).toBe('tasks');
});

test('the card on the dashboard shows the pay of the first day, and a check-in that could not be read', async () => {
  const sdk = tasksSdk();
  sdk.api.on(at.checkin.status, { ...CHECKIN, currentStreak: 0, nextReward: 50, nextBonus: 5 });
  await show(sdk, <TasksCard />);
  expect(screen.getByText('No streak yet')).toBeDefined();
  expect(screen.getByText('The first day pays 55 CORD')).toBeDefined();
  cleanup();
  const away = tasksSdk();
  away.api.fail(at.checkin.status, problem(400, 'No check-in')).fail(at.tasks.mine, problem(400, 'No tasks'));
  await show(away, <TasksCard />);
  expect(screen.getByText('No check-in')).toBeDefined();
  // Only the tasks page shows a toast, not the card.
  expect(toasts(away)).toEqual([]);
});

test('with all tasks done, the card on the dashboard lists those that open again, the next one first', async () => {
  const inHours = (hours: number) => new Date(SAMPLE_NOW_MS + hours * 3_600_000).toISOString();
  const done = { completed: true, claimedAt: inHours(-4) };
  await show(
    tasksSdk([
      sampleTask({ ...done, id: 'once', title: 'Once' }),
      sampleTask({ ...done, id: 'w', title: 'Weekly one', type: 'weekly', availableAt: inHours(36) }),
      sampleTask({ ...done, id: 'd', title: 'Daily one', type: 'daily', availableAt: inHours(20) }),
    ]),
    <TasksCard />,
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Daily oneAgain in 20 h',
    'Weekly oneAgain in 1 d 12 h',
  ]);
});

test('without a session nothing is requested', async () => {
  const sdk = createTestSdk({ user: null });
  await show(sdk);
  expect(sdk.api.calls).toEqual([]);
});

test('each number is explained with its formula and inputs', async () => {
  const { user } = await show(tasksSdk());
  await expectWhys(user, [
    ['Completed', /Tasks whose reward you have claimed.*Completed3All tasks9/],
    ['Total rewards', /each base reward times your multiplier/],
    ['Progress', /All tasks9/],
    ['Streak', /counted in UTC.*Your longest streak\d+All check-ins\d+/],
  ]);
});

test('a task completed in another year shows the year', () => {
  const done = sampleTask({ id: 'a', completed: true, claimedAt: '2025-10-03T12:00:00.000Z', availableAt: null });
  expect(completedOn(done, Date.parse('2026-02-01T12:00:00Z'))).toBe('3 Oct 2025');
  expect(completedOn(done, Date.parse('2025-12-01T12:00:00Z'))).toBe('3 Oct');
});
