import { at, problem, storyOf, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { expect } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { quietHours } from '../hours/hours.fixtures';
import {
  answerStreak,
  claimedEarnings,
  EXCUSED_STREAK,
  earningsSdk,
  emptied,
  NEWCOMER,
  NOW_MS,
  newcomerEarnings,
} from './earnings.fixtures';
import { EarningsCard } from './earnings-card';
import { EarningsView } from './earnings-view';

export default { title: 'Mining/Earnings', component: EarningsView };

const setAll = (sdk: TestSdk, params: Record<string, string>) => {
  for (const [name, value] of Object.entries(params)) sdk.tabs.setParam('dashboard', name, value);
};
const view = (
  params: Record<string, string> = {},
  change?: (sdk: TestSdk) => void,
  options: TestSdkOptions = {},
): StoryObj =>
  storyOf(
    EarningsView,
    () => earningsSdk(options, true),
    (sdk) => {
      setAll(sdk, params);
      change?.(sdk);
    },
  );
const card = (change?: (sdk: TestSdk) => void, options: TestSdkOptions = {}): StoryObj =>
  storyOf(EarningsCard, () => earningsSdk(options), change);
const fails = ({ api }: TestSdk) => void api.fail(at.mining.earnings, problem(503, 'down'));
const hangs = ({ api }: TestSdk) => void api.hang(at.mining.earnings);
const isEmpty = ({ api }: TestSdk) =>
  void api.on(at.mining.current, null).on(at.mining.earnings, ({ query }) => emptied(query?.range ?? '30d'));
const isNew = ({ api }: TestSdk) => void api.on(at.mining.earnings, newcomerEarnings());
/** The server has been unreachable since this response. */
const isAway = (sdk: TestSdk) => sdk.connection.lostAtMs.set(NOW_MS);

export const Month = view({ day: '2026-11-26' });
export const MonthAt320: StoryObj = { ...Month, tags: ['w320'] };
export const Week = view({ range: '7d' });
export const Year = view({ range: '12m' });
export const AsTable = view({ as: 'table' });
export const YearAsTable = view({ range: '12m', as: 'table' });

/** Content that does not fit is reached by scrolling the table alone. */
const scrollsToItsEnd: StoryObj['play'] = async ({ canvas }) => {
  const place = await canvas.findByRole('region', { name: 'Earnings' });
  place.scrollLeft = place.scrollWidth;
  const right = place.getBoundingClientRect().right + 1;
  for (const cell of place.querySelectorAll('th, td'))
    await expect(cell.getBoundingClientRect().right).toBeLessThanOrEqual(right);
};
export const YearAsTableAt320: StoryObj = { ...YearAsTable, tags: ['w320'], play: scrollsToItsEnd };
export const ExcusedDayAsTable: StoryObj = {
  ...view({ as: 'table' }, (sdk) => answerStreak(sdk, EXCUSED_STREAK)),
  tags: ['w640'],
  play: scrollsToItsEnd,
};
export const NoEarnings = view({}, isEmpty);
export const Loading = view({}, hangs);
export const NotLoaded = view({}, fails);
export const NewAccount = view({}, isNew, { user: NEWCOMER });
const hasClaimed = ({ api }: TestSdk) => void api.on(at.mining.earnings, claimedEarnings());
export const ClaimsOfANewAccount = view({ day: '2026-11-25' }, hasClaimed, { user: NEWCOMER });
export const BeforeTheAccount = view({ day: '2026-11-10' }, isNew, { user: NEWCOMER });
export const AnExcusedDay = view({}, (sdk) => answerStreak(sdk, EXCUSED_STREAK));
export const OutOfReach = view({}, isAway);

export const Hours = view({ day: '2026-11-26', hours: '1' });
export const HoursAt320: StoryObj = { ...Hours, tags: ['w320'] };
const reasonsMissing = ({ api }: TestSdk) =>
  void api.on(at.mining.hours, ({ query }) => ({
    ...quietHours(query?.day ?? ''),
    unknown: ['network', 'sign-ins', 'outages'],
  }));
export const HoursOfToday = view({ hours: '1' }, reasonsMissing);
export const HoursWithoutEarnings = view({ hours: '1' }, (sdk) => {
  isEmpty(sdk);
  sdk.api.on(at.mining.hours, ({ query }) => quietHours(query?.day ?? ''));
});
export const HoursLoading = view({ hours: '1' }, ({ api }) => void api.hang(at.mining.hours));
export const HoursNotLoaded = view({ hours: '1' }, ({ api }) => void api.fail(at.mining.hours, problem(503, 'down')));

export const Card = card();
export const CardAt320: StoryObj = { ...Card, tags: ['w320'] };
export const CardLoading = card(hangs);
export const CardEmpty = card(isEmpty);
export const CardNotLoaded = card(fails);
export const CardOfANewAccount = card(isNew, { user: NEWCOMER });
export const CardOutOfReach = card(isAway);
