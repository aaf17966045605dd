import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { APPEAL, CASES, sampleAddress, sampleCase, supportSdk } from './support.fixtures';

export default { ...IN_ROOM, title: 'Operators/Support' };

function story(open: string | null = null, prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => supportSdk(open), prepare);
}

const OTHER = { by: 'b'.repeat(32), username: 'olek', at: '2026-11-21T10:14:00Z' };
const LONGEST = 'W'.repeat(32);

export const Appeal = story(APPEAL.id);
export const Refund = story(CASES[0]?.id);
export const List = story();
export const Taken = story(APPEAL.id, ({ api }) => void api.on(at.support.oneCase, { ...APPEAL, taken: OTHER }));
export const Answered = story(APPEAL.id, ({ api }) => {
  const answer = 'Thank you. Four accounts of one household may mine from one address.';
  api.on(at.support.oneCase, { ...APPEAL, status: 'closed', answer, answeredAt: '2026-11-21T10:20:00Z' });
});
export const SharedAlready = story(
  APPEAL.id,
  ({ api }) => void api.on(at.support.address, sampleAddress({ shared: true, level: 0 })),
);
export const NothingWaits = story(null, ({ api }) => void api.on(at.support.queue, { requests: [], nextCursor: null }));
export const NobodyFound = story(null, (sdk) => sdk.tabs.setParam('admin', 'search', 'zzz'));
export const Gone = story('9'.repeat(32));
export const Loading = story(APPEAL.id, ({ api }) => void api.hang(at.support.queue).hang(at.support.oneCase));
export const Failed = story(
  APPEAL.id,
  ({ api }) => void api.fail(at.support.queue, offline()).fail(at.support.oneCase, offline()),
);
export const PartsFailed = story(APPEAL.id, ({ api }) => void api.fail(at.support.address, offline()));
export const LongestAndMore = story(null, ({ api }) => {
  const one = sampleCase(5, { username: LONGEST, subject: LONGEST.repeat(3), priority: true });
  api.on(at.support.queue, { requests: [one], nextCursor: '1-1-x' });
});
