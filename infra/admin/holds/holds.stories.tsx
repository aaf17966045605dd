import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { holdsSdk, sampleHold } from './holds.fixtures';

export default { ...IN_ROOM, title: 'Operators/Held bonuses' };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => holdsSdk(), prepare);
}

const LONGEST = 'W'.repeat(32);

export const Held = story();
export const Released = story(({ api, tabs }) => {
  tabs.setParam('admin', 'state', 'released');
  api.on(at.referrals.holds, {
    holds: [sampleHold(1, { state: 'released', bonus: 0, commission: 0, paid: 124.39 })],
    nextCursor: null,
  });
});
export const NothingWaits = story(({ api }) => void api.on(at.referrals.holds, { holds: [], nextCursor: null }));
export const LongestAndMore = story(({ api }) => {
  const hold = sampleHold(1, { friend: LONGEST, referrer: LONGEST, commission: 1_000_000, paid: 1_000_000 });
  api.on(at.referrals.holds, { holds: [hold], nextCursor: `held-${'5'.repeat(15)}-${hold.friendId}` });
});
export const Loading = story(({ api }) => void api.hang(at.referrals.holds));
export const Failed = story(({ api }) => void api.fail(at.referrals.holds, offline()));
