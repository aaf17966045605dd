import { at, createTestSdk, problem, SAMPLE_NOW_MS, sampleUser } from '@cord/sdk/testing';
import { act, renderWithSdk } from '@cord/sdk/testing/render';
import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { RANK_SEEN_KEY, RankKeeper, rankSeenBefore } from './rank-seen';
import { sampleEntry } from './rankings.fixtures';

const { id } = sampleUser();
const HOUR_MS = 3_600_000;
const BEHIND = sampleEntry(33);

function show() {
  const sdk = createTestSdk();
  const rankIs = (rank: number) =>
    sdk.api.on(at.leaderboard.me, {
      entry: { ...sampleEntry(rank), userId: id },
      neighbours: [sampleEntry(rank - 1), BEHIND],
    });
  rankIs(31);
  const view = renderWithSdk(<RankKeeper />, sdk);
  const hide = () =>
    act(async () => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
      document.dispatchEvent(new Event('visibilitychange'));
    });
  return { ...view, sdk, rankIs, hide };
}

const kept = (beforeMs = Number.POSITIVE_INFINITY) => rankSeenBefore(id, beforeMs);

it('the rank and the miners behind are stored at once and when the page is left; a failed read keeps them', async () => {
  const { sdk, rankIs, hide } = show();
  await waitFor(() => expect(kept()).toEqual({ atMs: SAMPLE_NOW_MS, rank: 31, behind: [BEHIND.userId] }));
  rankIs(30);
  await hide();
  await waitFor(() => expect(kept()?.rank).toBe(30));
  sdk.api.fail(at.leaderboard.me, problem(503, 'down'));
  await hide();
  await waitFor(() => expect(sdk.api.callsOf(at.leaderboard.me)).toHaveLength(3));
  expect(kept()?.rank).toBe(30);
});

it('after a return, the rank of the earlier visit stays available, however often the new one is stored', async () => {
  const { sdk, rankIs, hide } = show();
  await waitFor(() => expect(kept()?.rank).toBe(31));
  sdk.clock.advance(9 * HOUR_MS);
  const backMs = sdk.clock.now();
  for (const [rank, minutes] of [
    [34, 1],
    [35, 10],
    [36, 30],
  ] as const) {
    rankIs(rank);
    sdk.clock.set(backMs + minutes * 60_000);
    await hide();
    await waitFor(() => expect(kept()?.rank).toBe(rank));
  }
  expect(kept(backMs)?.rank).toBe(31);
});

it('nothing is stored after sign-out', async () => {
  const { sdk, rankIs, hide } = show();
  await waitFor(() => expect(kept()?.rank).toBe(31));
  rankIs(30);
  act(() => sdk.session.signOut());
  await hide();
  expect(sdk.api.callsOf(at.leaderboard.me)).toHaveLength(1);
});

it.each([
  '',
  'null',
  '{',
  '{"seen":[]}',
  JSON.stringify({ userId: 'f'.repeat(32), seen: [{ atMs: 1, rank: 1, behind: [] }] }),
  JSON.stringify({ userId: id, seen: [{ atMs: 1, rank: '1', behind: [] }] }),
  JSON.stringify({ userId: id, seen: [{ atMs: 1, rank: 1, behind: [2] }] }),
])('a stored value of another user or of another shape (%s) is ignored', (text) => {
  localStorage.setItem(RANK_SEEN_KEY, text);
  expect(kept()).toBeNull();
});
