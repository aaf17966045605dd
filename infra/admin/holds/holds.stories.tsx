import * as at from '@cord/contracts/addresses/referrals';
import { offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { holdsSdk, sampleHold } from './holds.fixtures';

const meta = {
  ...IN_ROOM,
  title: 'Operators/Held bonuses',
} satisfies Meta<typeof Room>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(prepare?: (sdk: TestSdk) => void): Story {
  return storyOf(Room, () => holdsSdk(), prepare);
}

const LONGEST = 'W'.repeat(32);

export const Held = story();
export const Released = story(({ api, tabs }) => {
  tabs.setParam('admin', 'state', 'released');
  api.on(at.holds, {
    holds: [sampleHold(1, { state: 'released', bonus: 0, commission: 0, paid: 124.39 })],
    nextCursor: null,
  });
});
export const NothingWaits = story(({ api }) => void api.on(at.holds, { holds: [], nextCursor: null }));
export const LongestAndMore = story(({ api }) => {
  const hold = sampleHold(1, { friend: LONGEST, referrer: LONGEST, commission: 1_000_000, paid: 1_000_000 });
  api.on(at.holds, { holds: [hold], nextCursor: `held-${'5'.repeat(15)}-${hold.friendId}` });
});
export const Loading = story(({ api }) => void api.hang(at.holds));
export const Failed = story(({ api }) => void api.fail(at.holds, offline()));
