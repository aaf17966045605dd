// @vitest-environment jsdom
import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import { problem, SAMPLE_NOW_MS, sampleUser } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { act, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { KOFI, standing } from '../away/away.fixtures';
import { readRankSeen } from '../away/rank-seen';
import { createTestShell, InShell, type TestShellOptions } from '../testing/test-shell';
import { RANK_SEEN_KEY } from './keep-rank';
import { writeLastSeen } from './last-seen';
import { AWAY_MS, awayOf, useAway } from './use-away';

const { id } = sampleUser();
const seen = (agoMs: number) => writeLastSeen({ userId: id, micro: 1n, atMs: SAMPLE_NOW_MS - agoMs, session: null });

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
});

function Page() {
  useAway();
  return null;
}

function open(options: TestShellOptions = {}) {
  const shell = createTestShell(options);
  shell.sdk.api.on(leaderboardEndpoints.me, standing(31, KOFI));
  const view = renderWithSdk(
    <InShell shell={shell}>
      <Page />
    </InShell>,
    shell.sdk,
  );
  const look = (state: DocumentVisibilityState) =>
    act(async () => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      document.dispatchEvent(new Event('visibilitychange'));
    });
  return { ...view, shell, look, away: () => awayOf(shell.sdk).get() };
}

it('a start more than an hour after this device was left is a return, and knows what was seen then', () => {
  seen(AWAY_MS + 1);
  localStorage.setItem(RANK_SEEN_KEY, 'as it was');
  expect(open().away()).toMatchObject({
    before: { atMs: SAMPLE_NOW_MS - AWAY_MS - 1, session: null },
    rankSeen: 'as it was',
    backMs: SAMPLE_NOW_MS,
  });
});

it.each([
  ['within the hour', AWAY_MS, {}],
  ['that the popup of a sign-in tells of', 9 * AWAY_MS, { welcome: { isNewUser: false } as never }],
  ['to an account that this device has not seen', 9 * AWAY_MS, { user: sampleUser({ id: 'f'.repeat(32) }) }],
])('a return %s is none', (_what, agoMs, options: TestShellOptions) => {
  seen(agoMs);
  expect(open(options).away()).toBeNull();
});

it('a page that stayed open is returned to as well; who looks away for a moment has not been away', async () => {
  const { look, away, shell } = open();
  seen(0);
  shell.sdk.clock.advance(AWAY_MS);
  await look('visible');
  expect(away()).toBeNull();
  shell.sdk.clock.advance(1);
  await look('visible');
  expect(away()?.backMs).toBe(SAMPLE_NOW_MS + AWAY_MS + 1);
});

it('keeps the rank and who stands behind as the page is left; without an answer, what was kept before', async () => {
  const { look, shell } = open();
  const kept = () => readRankSeen(localStorage.getItem(RANK_SEEN_KEY), id);
  await look('hidden');
  await waitFor(() => expect(kept()).toEqual({ userId: id, rank: 31, behind: [KOFI.userId] }));
  shell.sdk.api.fail(leaderboardEndpoints.me, problem(503, 'down'));
  await look('hidden');
  await waitFor(() => expect(shell.sdk.api.callsOf(leaderboardEndpoints.me)).toHaveLength(2));
  expect(kept()?.rank).toBe(31);
});

it.each([null, '', 'null', '{', '{"rank":1}', JSON.stringify({ userId: id, rank: '1', behind: [] })])(
  'what somebody else wrote there (%s) is nothing',
  (text) => expect(readRankSeen(text, id)).toBeNull(),
);

it('an absence is forgotten with the session', () => {
  seen(9 * AWAY_MS);
  const { shell, away, unmount } = open();
  expect(away()).not.toBeNull();
  act(() => shell.sdk.session.signOut());
  expect(away()).toBeNull();
  unmount();
});
