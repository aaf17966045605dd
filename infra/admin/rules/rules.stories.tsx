import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { BOOKS, rulesSdk, sampleProposal } from './rules.fixtures';

export default { ...IN_ROOM, title: 'Operators/Rules' };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => rulesSdk(), prepare);
}

export const Shown = story();
export const NewRules = story(({ tabs }) => tabs.setParam('admin', 'rules', 'new'));
export const NothingComes = story(
  ({ api }) =>
    void api.on(at.rules.rules, { books: BOOKS.slice(0, 1), epochs: [] }).on(at.rules.proposals, { proposals: [] }),
);
export const Longest = story(
  ({ api }) =>
    void api.on(at.rules.proposals, {
      proposals: [sampleProposal(1, { reason: 'W'.repeat(500), sooner: 'W'.repeat(500) })],
    }),
);
export const Loading = story(({ api }) => void api.hang(at.rules.rules));
export const Failed = story(({ api }) => void api.fail(at.rules.rules, offline()));
