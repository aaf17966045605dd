import * as support from '@cord/contracts/addresses/support';
import { offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import { within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { auditSdk, TRAIL } from './audit.fixtures';

// The view is a file of its own: what is looked at is the view and not its skeleton.
const meta = {
  title: 'Operators/Audit',
  component: Room,
  play: async ({ canvasElement }) => {
    await within(canvasElement).findByRole('heading', { level: 1, name: 'Audit' });
  },
} satisfies Meta<typeof Room>;
export default meta;
type Story = StoryObj<typeof meta>;

function story(prepare?: (sdk: TestSdk) => void): Story {
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
  api.on(support.audit, { entries, nextCursor: '1-a', missing: ['tasks', 'rewards'] });
});
export const Loading = story(({ api }) => void api.hang(support.audit));
export const Failed = story(({ api }) => void api.fail(support.audit, offline()));
