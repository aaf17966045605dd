import { at, offline, SAMPLE_NOW_MS, sampleUser, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { StreakPage } from './streak-page';
import { CHECKED_IN, CHECKIN, checkedDays, keptDays, TASKS, tasksSdk } from './tasks.fixtures';

const Page = () => <StreakPage view={{ close: () => undefined }} />;
export default { title: 'Tasks/Streak', component: Page };

const FIRST = { ...CHECKIN, currentStreak: 0, nextBonus: 5, stats: { longestStreak: 0, totalCheckIns: 0 } };

function story(prepare: (sdk: TestSdk) => void, user = sampleUser()): StoryObj {
  return storyOf(Page, () => tasksSdk(TASKS, { user }), prepare);
}

export const TodayIsOpen: StoryObj = {
  ...story(({ api }) =>
    api.on(at.checkin.history, [...keptDays(SAMPLE_NOW_MS, 12, 1), ...keptDays(SAMPLE_NOW_MS, 16, 15)]),
  ),
  tags: ['w320'],
};
export const TodayIsDone = story(({ api }) => api.on(at.checkin.status, CHECKED_IN));
export const NearlyOver: StoryObj = { ...story(({ clock }) => clock.advance(11 * 3_600_000)), tags: ['w390'] };
export const MissedYesterday = story(({ api }) => {
  api.on(at.checkin.history, checkedDays(12, [1])).on(at.checkin.status, FIRST);
});
export const ExcusedDay: StoryObj = {
  ...story(({ api }) => {
    const excused = [{ dayKey: '2026-11-19', reason: 'claims-off' as const }];
    api.on(at.checkin.history, checkedDays(13, [2])).on(at.checkin.status, { ...CHECKIN, excused });
  }),
  tags: ['w320'],
};
export const OutageDay: StoryObj = {
  ...story(({ api }) => {
    const excused = [{ dayKey: '2026-11-19', reason: 'outage' as const }];
    api.on(at.checkin.history, checkedDays(13, [2])).on(at.checkin.status, { ...CHECKIN, excused });
  }),
  tags: ['w320'],
};
export const FirstDay = story(
  ({ api }) => api.on(at.checkin.history, []).on(at.checkin.status, FIRST),
  sampleUser({ join_date: new Date(SAMPLE_NOW_MS).toISOString() }),
);
export const LongStreak = story(({ api }) => {
  const status = { ...CHECKIN, currentStreak: 412, nextBonus: 100, stats: { longestStreak: 412, totalCheckIns: 980 } };
  api.on(at.checkin.history, keptDays(SAMPLE_NOW_MS, 412, 1).slice(0, 34)).on(at.checkin.status, status);
});
export const Loading = story(({ api }) => api.hang(at.checkin.status).hang(at.checkin.history));
export const Failed = story(({ api }) => api.fail(at.checkin.status, offline()));
