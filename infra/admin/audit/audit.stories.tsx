import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { auditSdk, TRAIL } from './audit.fixtures';

export default { ...IN_ROOM, title: 'Operators/Audit' };

function story(prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => auditSdk(), prepare);
}

export const Lines = story();
export const UndoPanel = story((sdk) => sdk.tabs.setParam('admin', 'undo', TRAIL[3]?.id ?? null));
export const Filtered = story((sdk) => {
  sdk.tabs.setParam('admin', 'acts', 'network');
  sdk.tabs.setParam('admin', 'from', '2026-11-21');
});
export const NothingFound = story((sdk) => sdk.tabs.setParam('admin', 'on', 'zzz'));
export const MoreAndMissing = story(({ api }) => {
  const [first] = TRAIL;
  const entries = first
    ? [{ ...first, by: 'W'.repeat(32), on: 'W'.repeat(32), detail: { reason: 'w'.repeat(500) } }]
    : [];
  api.on(at.support.audit, { entries, nextCursor: '1-a', missing: ['tasks', 'rewards'] });
});
export const Loading = story(({ api }) => void api.hang(at.support.audit));
export const Failed = story(({ api }) => void api.fail(at.support.audit, offline()));
