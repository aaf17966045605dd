import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { type REFUNDS, refundsSdk, sampleRefund } from './refunds.fixtures';

export default { ...IN_ROOM, title: 'Operators/Refunds' };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => refundsSdk(), prepare);
}

const listed = (refunds: typeof REFUNDS, nextCursor: string | null = null) =>
  story(({ api }) => void api.on(at.rewards.refunds, { refunds: [...refunds], nextCursor }));

export const Waiting = story();
export const NothingWaits = listed([]);
const returned = { status: 'returned', proof: 'proven', returnTransaction: '9'.repeat(88) } as const;
export const Returned = story((sdk) => {
  sdk.tabs.setParam('admin', 'state', 'returned');
  const refunds = [sampleRefund(5, { ...returned, returnedAt: sampleRefund(2).at })];
  sdk.api.on(at.rewards.refunds, { refunds, nextCursor: null });
});
const longest = { walletAddress: 'W'.repeat(44), lamports: 1_000_000_000_000_001, userId: null };
export const LongestAndMore = listed([sampleRefund(1, longest)], `open-${'5'.repeat(15)}-${'0'.repeat(32)}`);
export const Loading = story(({ api }) => void api.hang(at.rewards.refunds));
export const Failed = story(({ api }) => void api.fail(at.rewards.refunds, offline()));
