import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { CREDITS, creditsSdk, sampleCredit } from './credits.fixtures';

export default { ...IN_ROOM, title: 'Operators/Refused credits' };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => creditsSdk(), prepare);
}

const listed = (credits: typeof CREDITS, missing: string[] = [], nextCursor: string | null = null) =>
  story(({ api }) => void api.on(at.operations.parkedCredits, { credits: [...credits], missing, nextCursor }));

export const Waiting = story();
export const NothingWaits = listed([]);
export const ServicesAway = listed(CREDITS, ['rewards', 'referrals']);
export const AllAway = listed([], ['tasks', 'referrals', 'rewards']);
const longest = { key: 'W'.repeat(200), amount: 1_000_000.000001, message: 'W'.repeat(200) };
export const LongestAndMore = listed([sampleCredit(1, longest)], [], `${'5'.repeat(15)}-${longest.key}`);
export const Loading = story(({ api }) => void api.hang(at.operations.parkedCredits));
export const Failed = story(({ api }) => void api.fail(at.operations.parkedCredits, offline()));
