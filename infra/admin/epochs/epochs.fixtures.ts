import type { Epoch, EpochPreview } from '@cord/contracts/http/epochs';
import type { OperatorsTask } from '@cord/contracts/http/tasks';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { ApiError } from '@cord/sdk';
import { at, SAMPLE_NOW_MS, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(SAMPLE_NOW_MS + days * DAY_MS).toISOString();

export function sampleEpoch(n: number, changes: Partial<Epoch> = {}): Epoch {
  const name = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'][n] ?? 'Omega';
  const rewardsMultiplier = [1, 1.1, 1.2, 1.3, 1.1][n] ?? 1;
  return {
    id: name.toLowerCase(),
    name: `Epoch ${name}`,
    description: `All mining pays ${Math.round(rewardsMultiplier * 100) - 100}% more until the epoch closes.`,
    rewardsMultiplier,
    startDate: inDays(15 * n - 29.75),
    endDate: inDays(15 * n - 14.75),
    ...changes,
  };
}

export const EPOCHS: readonly Epoch[] = [0, 1, 2, 3, 4].map((n) => sampleEpoch(n));
const GAMMA = sampleEpoch(2);

const NODES = [31, 38, 44, 37, 26, 21, 12, 7, 3];

/** The result of the rate function for the sample's nodes, all without badge and penalty. */
export function samplePreview(after: number | null, changes: Partial<EpochPreview> = {}): EpochPreview {
  const before = GAMMA.rewardsMultiplier;
  const is = after ?? 1;
  const perMinute = (multiplier: number) =>
    FIRST_BOOK.tiers.reduce(
      (sum, { hundredths }, n) => sum + 0.5 * (hundredths / 100) * multiplier * (NODES[n] ?? 0),
      0,
    );
  const perDay = (multiplier: number) => Math.round(perMinute(multiplier) * 1_440 * 1e6) / 1e6;
  const nodes = NODES.reduce((sum, each) => sum + each, 0);
  const span = {
    from: GAMMA.startDate,
    to: GAMMA.endDate,
    multiplierBefore: before,
    multiplierAfter: is,
    perDayBefore: perDay(before),
    perDayAfter: perDay(is),
  };
  return {
    nodes,
    sampled: nodes,
    isWhole: true,
    multiplierNow: 1.1,
    tiers: FIRST_BOOK.tiers.map(({ fromYears, hundredths }, n) => {
      const rate = (multiplier: number) => 0.5 * (hundredths / 100) * multiplier;
      return {
        fromYears,
        multiplier: hundredths / 100,
        nodes: NODES[n] ?? 0,
        rateNow: rate(1.1),
        rateBefore: rate(before),
        rateAfter: rate(is),
      };
    }),
    spans: is === before ? [] : [span],
    adds: Math.round((perDay(is) - perDay(before)) * 15 * 1e6) / 1e6,
    highestRate: 5.25 * is,
    ...changes,
  };
}

export function sampleTask(changes: Partial<OperatorsTask> & Pick<OperatorsTask, 'id'>): OperatorsTask {
  return {
    type: 'daily',
    category: 'daily',
    title: changes.id,
    description: '',
    reward: 50,
    maxProgress: 1,
    socialUrl: null,
    expiresAt: null,
    measure: null,
    claims: { count: 0, paid: 0, byTier: [] },
    ...changes,
  };
}

/** Claims: `plain` were paid at ×1, `tripled` at ×3.5. */
function claimsAt(reward: number, plain: number, tripled: number): OperatorsTask['claims'] {
  return {
    count: plain + tripled,
    paid: reward * plain + reward * 3.5 * tripled,
    byTier: [
      { multiplier: 1, count: plain },
      { multiplier: 3.5, count: tripled },
    ],
  };
}

export const TASKS: readonly OperatorsTask[] = [
  sampleTask({
    id: 'daily-checkin',
    title: 'Daily check-in',
    measure: 'check-in',
    claims: { count: 2_861, paid: 271_795, byTier: [] },
  }),
  sampleTask({
    id: 'mine-1-hour',
    title: 'Mine for 1 hour',
    description: 'Run your node for an hour in one day.',
    reward: 35,
    maxProgress: 3_600,
    measure: 'node-seconds-today',
    claims: claimsAt(35, 1_200, 1_004),
  }),
  sampleTask({
    id: 'weekly-mining',
    title: 'Mine 1,000 CORD this week',
    type: 'weekly',
    reward: 200,
    maxProgress: 1_000,
    measure: 'mined-this-week',
    claims: claimsAt(200, 118, 200),
  }),
  sampleTask({
    id: 'follow-x',
    title: 'Follow CORD on X',
    type: 'social',
    measure: 'visit',
    socialUrl: 'https://x.com/cordmining',
    expiresAt: inDays(3),
    claims: claimsAt(50, 41, 20),
  }),
  sampleTask({ id: 'early-adopter', type: 'achievement', reward: 750, measure: 'account-age-5' }),
  sampleTask({ id: 'winter-week', type: 'seasonal', reward: 12.5 }),
];

/** An sdk of an operator who has Tasks and epochs open. Changes are kept. */
export function epochsSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  sdk.tabs.setParam('admin', 'view', 'epochs');
  const epochs = new Map(EPOCHS.map((epoch) => [epoch.id, epoch]));
  const tasks = new Map(TASKS.map((task) => [task.id, task]));
  const put = <T extends { id: string }>(all: Map<string, T>, id: string, fields: object): T => {
    const { reason: _, ...changes } = { reason: '', ...fields };
    all.set(id, { ...(all.get(id) as T), ...changes });
    return all.get(id) as T;
  };
  sdk.api
    .on(at.epochs.epochs, () => [...epochs.values()].sort((a, b) => a.startDate.localeCompare(b.startDate)))
    .on(at.epochs.previewEpoch, ({ body }) =>
      samplePreview(body?.change === null ? null : (body?.change?.rewardsMultiplier ?? GAMMA.rewardsMultiplier)),
    )
    .on(at.epochs.updateEpoch, ({ params, body }) => put(epochs, params?.id ?? '', body ?? {}))
    .on(at.epochs.createEpoch, ({ body }) => put(epochs, body?.id ?? '', body ?? {}))
    .on(at.epochs.removeEpoch, ({ params }) => void epochs.delete(params?.id ?? ''))
    .on(at.tasks.catalogue, () => ({ tasks: [...tasks.values()], days: 7, countedSince: '2026-11-15' }))
    .on(at.tasks.update, ({ params, body }) => put(tasks, params?.id ?? '', body ?? {}))
    .on(at.tasks.create, ({ body }) => put(tasks, body?.id ?? '', { ...sampleTask({ id: '' }), ...body }))
    .on(at.tasks.remove, ({ params }) => void tasks.delete(params?.id ?? ''));
  return sdk;
}

/** The server's error about a refused field. */
export function refusal(path: string, message: string): ApiError {
  return new ApiError({
    kind: 'http',
    status: 400,
    type: 'bad-input',
    message: `${path}: ${message}`,
    fields: [{ path, message }],
  });
}
