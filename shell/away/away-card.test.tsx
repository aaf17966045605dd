import { at, problem, sampleMining, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { cleanup, outOfReach } from '@cord/sdk/testing/render';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { awayOf } from '../session/use-away';
import { INNER_PARTS } from '../testing/module-parts';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';
import { AWAY, awayServer, KOFI, LENA, standing } from './away.fixtures';
import { AwayCard } from './away-card';

function show(change: (sdk: TestSdk) => void = () => undefined, options: TestShellOptions = {}, away = AWAY) {
  const shell = createTestShell({ parts: INNER_PARTS, ...options });
  awayServer(shell.sdk);
  change(shell.sdk);
  awayOf(shell.sdk).set(away);
  return renderInShell(
    shell,
    <main id="page" tabIndex={-1}>
      <AwayCard away={away} />
    </main>,
  );
}

const card = () => screen.getByTestId('away');
const shows = (text: string | RegExp) => waitFor(() => expect(card().textContent).toMatch(text));

it('shows the amount mined, the miners who passed, and what can be claimed', async () => {
  show();
  await shows('Mined');
  await waitFor(() => expect(screen.getByTestId('away-mined').dataset.value).toBe('924'));
  expect(screen.getByTestId('away-mined').textContent).toBe('+924.00');
  await shows(/9 h 15 min, since .*Your node paused at \d\d:48/);
  expect((await screen.findByTestId('away-rank')).dataset.value).toBe('34');
  await shows('Passed by kofi_b, lena.w and 1 more');
  await shows('1 task to claim: 122.50 CORD');
  expect(await screen.findByRole('button', { name: 'Check in for 115 CORD' })).toBeTruthy();
});

it('explains both numbers', async () => {
  const { user } = show();
  await waitFor(() => expect(screen.getByTestId('away-mined').dataset.value).toBe('924'));
  await user.click(screen.getByRole('button', { name: 'Why this number? Mined' }));
  const mined = await screen.findByRole('dialog');
  expect(mined.textContent).toMatch(/The session that was running\+924\.00Sessions started since\+0\.00/);
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Why this number? Rank' }));
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toMatch(/Then#31Now#34/));
});

it('is dismissed, and the focus moves to the page', async () => {
  const { shell, user } = show();
  await user.click(within(card()).getByRole('button', { name: 'Dismiss' }));
  expect(awayOf(shell.sdk).get()).toBeNull();
  expect(document.activeElement?.id).toBe('page');
});

it('opens the tasks, and shows when nothing is to be done', async () => {
  const { shell, user } = show();
  await user.click(await screen.findByRole('button', { name: 'Open Tasks' }));
  expect(shell.sdk.tabs.current.get()).toBe('tasks');
  cleanup();
  show(({ api }) => api.on(at.tasks.mine, []), { user: sampleUser({ daily_checkin_claimed: true }) });
  await shows('Nothing to do right now.');
});

it('shows a better rank, an unchanged rank, and a node that kept running', async () => {
  const running = sampleMining({ id: AWAY.before.session?.id ?? '', earnings: 1_240 });
  show(({ api }) =>
    api
      .on(at.mining.current, running)
      .on(at.mining.history, [running])
      .on(at.leaderboard.me, standing(29, { ...KOFI, rank: 30 }))
      .fail(at.leaderboard.miner, problem(404, 'gone')),
  );
  await shows('2 places up');
  await shows('Your node kept running.');
  cleanup();
  show(({ api }) => api.on(at.leaderboard.me, standing(31)).fail(at.leaderboard.miner, problem(404, 'gone')));
  await shows('same as when you left');
});

it('shows unknown values as a dash, never as zero', async () => {
  show(({ api }) =>
    api
      .fail(at.mining.history, problem(503, 'down'))
      .fail(at.leaderboard.me, problem(503, 'down'))
      .fail(at.tasks.mine, problem(503, 'down')),
  );
  await waitFor(() => expect(screen.getByTestId('away-mined').textContent).toBe('–'));
  expect(screen.getByTestId('away-mined').dataset.value).toBeUndefined();
});

it('shows dashes, not loading, while the server is unreachable', async () => {
  await outOfReach(createTestShell().sdk);
  show();
  await waitFor(() => expect(screen.getByTestId('away-mined').textContent).toBe('–'));
  expect(screen.getByTestId('away-rank').textContent).toBe('–');
});

it('isolates each name, so that one read from right to left does not change the order', async () => {
  show(({ api }) => api.on(at.leaderboard.me, standing(34, { ...KOFI, username: 'نور' }, LENA)));
  await shows('Passed by نور, lena.w and 1 more');
  expect(screen.getByText('نور').tagName).toBe('BDI');
});

it('names two miners of the same name', async () => {
  const errors = vi.spyOn(console, 'error');
  show(({ api }) => api.on(at.leaderboard.me, standing(34, { ...KOFI, username: LENA.username }, LENA)));
  await shows('Passed by lena.w, lena.w and 1 more');
  expect(errors).not.toHaveBeenCalled();
});
