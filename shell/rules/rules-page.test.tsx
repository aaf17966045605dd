import type { PublicRules } from '@cord/contracts/http/rules';
import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { cleanup, inFakeTime, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { RulesAhead } from '../dashboard/rules-ahead';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { CHANGED_RULES, FIRST_RULES } from './rules.fixtures';
import { RulesPage } from './rules-page';

const DAY_MS = 86_400_000;
const end = { rateUntil: null, nextFactors: null, nextRateNano: null };
const factors = { tier: 3.5, antiCheat: 1, badge: false, epoch: 1.1, epochId: 'beta' };
const rulesChange = { from: new Date(SAMPLE_NOW_MS + DAY_MS).toISOString(), rate: 1.925, nextRate: 2.31 };
const serverTime = new Date(SAMPLE_NOW_MS).toISOString();
const RATE = { rate: 1.925, rateNano: '1925000000', factors, ...end, serverTime, rulesChange };

function show(rules: PublicRules | null, { signedIn = false, ui = <RulesPage onBack={null} /> } = {}) {
  const shell = createTestShell(signedIn ? {} : { user: null });
  if (rules) shell.sdk.api.on(at.rules.rules, rules);
  else shell.sdk.api.fail(at.rules.rules, problem(503, 'down'));
  shell.sdk.api.on(at.mining.rate, RATE);
  return renderInShell(shell, ui);
}

const rows = (heading: string) => {
  const card = screen.getByRole('heading', { name: heading }).closest('section') as HTMLElement;
  return [...card.querySelectorAll('dl > div, tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
};

test('shows all numbers in force without a session, with one public request', async () => {
  const { shell } = show(FIRST_RULES);
  await screen.findByRole('heading', { name: 'Mining' });
  expect(document.title).toBe('Rules · CORD');
  expect(rows('Mining')).toEqual([
    ['Base rate', '0.500000 CORD/min'],
    ['With the Badge of Honor', '×1.05'],
    ['Epoch Beta, now', '×1.1'],
    ['Under 1 year', '×1', '0.500000'],
    ['From 1 year', '×1.2', '0.600000'],
    ['From 2 years', '×1.5', '0.750000'],
    ['From 3 years', '×2', '1.000000'],
    ['From 4 years', '×2.5', '1.250000'],
    ['From 5 years', '×3.5', '1.750000'],
    ['From 6 years', '×5', '2.500000'],
    ['From 7 years', '×7', '3.500000'],
    ['From 8 years', '×10', '5.000000'],
  ]);
  expect(rows('Check-ins, tasks, referrals')).toEqual([
    ['Daily check-in', '50 CORD'],
    ['Streak bonus for each day', '5 CORD'],
    ['Streak bonus, at most', '100 CORD'],
    ['Task reward', 'Base reward × multiplier'],
    ['Base reward of a task, at most', '10,000 CORD'],
    ['Commission on what friends earn, for life', '10%'],
  ]);
  expect(rows('Epochs')).toHaveLength(3);
  expect(rows('Epochs')[1]?.slice(0, 2)).toEqual(['Epoch Beta', '×1.1']);
  expect(rows('Epochs')[1]?.[2]).toMatch(/^\d+ \w+ 2026 – \d+ \w+ 2026$/);
  expect(screen.queryByTestId('rules-ahead')).toBeNull();
  expect(shell.sdk.api.calls.map(({ id }) => id)).toEqual(['rules.list']);
});

test('shows an announced change with its reasons, each number before and after, and the history', async () => {
  show(CHANGED_RULES);
  const ahead = within(await screen.findByTestId('rules-ahead'));
  expect(ahead.getByText('Mining pays more for everybody, and the highest step comes later.')).toBeTruthy();
  expect(ahead.getByText(/^Less than 72 hours’ notice, because: Until then/)).toBeTruthy();
  expect(ahead.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Base rate: 0.500000 CORD/min before, 0.600000 CORD/min after',
    'Multiplier: From 8 years: ×10 before, ×9 after',
    'Multiplier: From 10 years: no step before, ×10 after',
  ]);
  expect(ahead.queryByTestId('own-rate-change')).toBeNull();
  expect(rows('Check-ins, tasks, referrals')[0]).toEqual(['Daily check-in', '48 CORD']);
  const history = screen.getByRole('heading', { name: 'History' }).closest('section') as HTMLElement;
  const versions = within(history).getAllByRole('heading', { level: 3 });
  expect(versions.map(({ textContent }) => textContent?.replace(/, from .*?(?=Announced|In force|$)/, ' '))).toEqual([
    'Rules 3 Announced',
    'Rules 2 In force',
    'The first rules',
  ]);
  expect(within(history).getByText('Daily check-in: 50 CORD before, 48 CORD after')).toBeTruthy();
});

test('shows every number of a change with all its decimals', async () => {
  const [first] = FIRST_RULES.books;
  if (!first) throw new Error('no first book');
  const numbers = { baseNano: 500_000_001, checkinMicro: 50_000_001, streakStepMicro: 5_005_000, badgeHundredths: 106 };
  const next = { ...first, ...numbers, version: 2, fromMs: SAMPLE_NOW_MS + DAY_MS, announcedAtMs: SAMPLE_NOW_MS };
  show({ ...FIRST_RULES, books: [first, next] });
  const ahead = within(await screen.findByTestId('rules-ahead'));
  expect(ahead.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Base rate: 0.500000 CORD/min before, 0.500000001 CORD/min after',
    'With the Badge of Honor: ×1.05 before, ×1.06 after',
    'Daily check-in: 50 CORD before, 50.000001 CORD after',
    'Streak bonus for each day: 5 CORD before, 5.005 CORD after',
  ]);
});

test('shows a signed-in user their own rate before and after a change, here and on the dashboard', async () => {
  show(CHANGED_RULES, { signedIn: true });
  expect((await screen.findByTestId('own-rate-change')).textContent).toMatch(
    /^Your mining rate 1\.925000 CORD\/min before, 2\.310000 CORD\/min from .* on\.$/,
  );
  cleanup();
  const { shell, user } = show(CHANGED_RULES, { signedIn: true, ui: <RulesAhead /> });
  expect((await screen.findByTestId('own-rate-change')).textContent).toContain('2.310000 CORD/min from');
  await user.click(screen.getByRole('button', { name: 'Rules' }));
  expect([shell.tabs.current.get(), shell.tabs.params.get().settings]).toEqual(['settings', { view: 'rules' }]);
  cleanup();
  show(FIRST_RULES, { signedIn: true, ui: <RulesAhead /> });
  expect(screen.queryByTestId('rules-ahead')).toBeNull();
});

test('shows a failure, and Retry loads the rules', async () => {
  const { shell, user } = show(null);
  await screen.findByText('The rules could not be loaded');
  shell.sdk.api.on(at.rules.rules, FIRST_RULES);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'Mining' });
});

describe('the user’s own rate after a change', () => {
  inFakeTime();

  test('is requested until mining has adopted the change', async () => {
    const { shell } = show(CHANGED_RULES, { signedIn: true });
    const calls = () => shell.sdk.api.callsOf(at.mining.rate).length;
    shell.sdk.api.on(at.mining.rate, { ...RATE, rulesChange: null });
    await settle();
    expect([screen.queryByTestId('own-rate-change'), calls()]).toEqual([null, 1]);
    shell.sdk.api.on(at.mining.rate, RATE);
    await settle(3_000);
    expect(screen.getByTestId('own-rate-change').textContent).toContain('2.310000 CORD/min from');
    await settle(30_000);
    expect(calls()).toBe(2);
  });

  test('is requested less and less often while mining fails', async () => {
    const { shell } = show(CHANGED_RULES, { signedIn: true });
    const calls = () => shell.sdk.api.callsOf(at.mining.rate).length;
    shell.sdk.api.on(at.mining.rate, { ...RATE, rulesChange: null });
    await settle();
    shell.sdk.api.on(at.mining.rate, () => {
      throw problem(503, 'Away', 'service-unavailable');
    });
    for (let n = 0; n < 24; n += 1) await settle(5_000);
    const failed = calls() - 1;
    expect(failed).toBeGreaterThan(2);
    expect(failed).toBeLessThan(15);
    shell.sdk.api.on(at.mining.rate, RATE);
    for (let n = 0; n < 6; n += 1) await settle(5_000);
    expect(screen.getByTestId('own-rate-change').textContent).toContain('2.310000 CORD/min from');
  });
});
