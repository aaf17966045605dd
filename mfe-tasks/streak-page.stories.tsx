import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import { offline, SAMPLE_NOW_MS, sampleUser, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { StreakPage } from './streak-page';
import { CHECKED_IN, CHECKIN, checkedDays, keptDays, TASKS, tasksSdk } from './tasks.fixtures';

const Page = () => <StreakPage view={{ close: () => undefined }} />;
const meta = { title: 'Tasks/Streak', component: Page } satisfies Meta<typeof Page>;
export default meta;
type Story = StoryObj<typeof meta>;

const FIRST = { ...CHECKIN, currentStreak: 0, nextBonus: 5, stats: { longestStreak: 0, totalCheckIns: 0 } };

function story(prepare: (sdk: TestSdk) => void, user = sampleUser()): Story {
  return storyOf(Page, () => tasksSdk(TASKS, { user }), prepare);
}

export const TodayIsOpen: Story = {
  ...story(({ api }) =>
    api.on(checkinEndpoints.history, [...keptDays(SAMPLE_NOW_MS, 12, 1), ...keptDays(SAMPLE_NOW_MS, 16, 15)]),
  ),
  tags: ['w320'],
};
export const TodayIsDone = story(({ api }) => api.on(checkinEndpoints.status, CHECKED_IN));
export const NearlyOver: Story = { ...story(({ clock }) => clock.advance(11 * 3_600_000)), tags: ['w390'] };
export const MissedYesterday = story(({ api }) => {
  api.on(checkinEndpoints.history, checkedDays(12, [1])).on(checkinEndpoints.status, FIRST);
});
export const ExcusedDay: Story = {
  ...story(({ api }) => {
    const excused = [{ dayKey: '2026-11-19', reason: 'claims-off' as const }];
    api.on(checkinEndpoints.history, checkedDays(13, [2])).on(checkinEndpoints.status, { ...CHECKIN, excused });
  }),
  tags: ['w320'],
};
export const OutageDay: Story = {
  ...story(({ api }) => {
    const excused = [{ dayKey: '2026-11-19', reason: 'outage' as const }];
    api.on(checkinEndpoints.history, checkedDays(13, [2])).on(checkinEndpoints.status, { ...CHECKIN, excused });
  }),
  tags: ['w320'],
};
export const FirstDay = story(
  ({ api }) => api.on(checkinEndpoints.history, []).on(checkinEndpoints.status, FIRST),
  sampleUser({ join_date: new Date(SAMPLE_NOW_MS).toISOString() }),
);
export const LongStreak = story(({ api }) => {
  const status = { ...CHECKIN, currentStreak: 412, nextBonus: 100, stats: { longestStreak: 412, totalCheckIns: 980 } };
  api.on(checkinEndpoints.history, keptDays(SAMPLE_NOW_MS, 412, 1).slice(0, 34)).on(checkinEndpoints.status, status);
});
export const Loading = story(({ api }) => api.hang(checkinEndpoints.status).hang(checkinEndpoints.history));
export const Failed = story(({ api }) => api.fail(checkinEndpoints.status, offline()));
