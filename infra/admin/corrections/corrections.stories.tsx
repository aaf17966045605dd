import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { correctionsSdk, sampleCorrection } from './corrections.fixtures';

export default { ...IN_ROOM, title: 'Operators/Corrections' };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => correctionsSdk(), prepare);
}

export const Open = story();
export const Confirmed = story(({ api, tabs }) => {
  tabs.setParam('admin', 'state', 'confirmed');
  const decided = { state: 'confirmed' as const, decidedBy: 'd'.repeat(32), decidedAt: new Date(0).toISOString() };
  const corrections = [sampleCorrection(1, { ...decided, booked: true }), sampleCorrection(2, decided)];
  api.on(at.corrections.list, { corrections, nextCursor: null });
});
export const NothingWaits = story(({ api }) => void api.on(at.corrections.list, { corrections: [], nextCursor: null }));
export const LongestAndMore = story(({ api }) => {
  const longest = sampleCorrection(1, { amount: 1_000_000, reason: 'W'.repeat(500) });
  api.on(at.corrections.list, { corrections: [longest], nextCursor: '1' });
});
export const Loading = story(({ api }) => void api.hang(at.corrections.list));
export const Failed = story(({ api }) => void api.fail(at.corrections.list, offline()));
