import type { TestSdk } from '@cord/sdk/testing';
import { at } from '@cord/sdk/testing';
import { inFakeTime } from '@cord/sdk/testing/render';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { auditSdk } from '../audit/audit.fixtures';
import { correctionsSdk } from '../corrections/corrections.fixtures';
import { creditsSdk } from '../credits/credits.fixtures';
import { epochsSdk } from '../epochs/epochs.fixtures';
import { holdsSdk } from '../holds/holds.fixtures';
import { modulesSdk } from '../modules/modules.fixtures';
import { overviewSdk } from '../overview/overview.fixtures';
import { rulesSdk } from '../rules/rules.fixtures';
import { APPEAL, supportSdk } from '../support/support.fixtures';
import { HARBOUR_ID, usersSdk } from '../users/users.fixtures';
import { openRoom } from './testing';
import { VIEWS } from './views';

/** Where the day is another than that of UTC for half of it, to either side. */
const ZONES = ['Pacific/Auckland', 'America/Los_Angeles'];

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});
beforeAll(async () => void (await Promise.all(Object.values(VIEWS).map(({ file }) => file.load()))));
inFakeTime();

async function textOf(sdk: TestSdk, leftOut = ''): Promise<string> {
  const { container, unmount } = await openRoom(sdk);
  for (const each of leftOut === '' ? [] : container.querySelectorAll(leftOut)) each.remove();
  const text = container.textContent ?? '';
  unmount();
  return text;
}

async function textIn(timeZone: string, sdk: TestSdk): Promise<string> {
  process.env.TZ = timeZone;
  return textOf(sdk);
}

const VIEW_SDKS: readonly [string, () => TestSdk][] = [
  ['the overview', () => overviewSdk()],
  ['a case', () => supportSdk(APPEAL.id)],
  ['the accounts', () => usersSdk(null)],
  ['an account', () => usersSdk(HARBOUR_ID)],
  ['epochs and tasks', () => epochsSdk()],
  ['the rules', () => rulesSdk()],
  ['holds', () => holdsSdk()],
  ['corrections', () => correctionsSdk()],
  ['refused credits', () => creditsSdk()],
  ['modules', () => modulesSdk()],
  ['the trail', () => auditSdk()],
];

test.each(VIEW_SDKS)('times and days of %s are in UTC, whatever the operator’s time zone', async (_view, sdk) => {
  const [one, other] = [await textIn(ZONES[0]!, sdk()), await textIn(ZONES[1]!, sdk())];
  expect(one.length).toBeGreaterThan(200);
  expect(one).toBe(other);
});

/** ms */
const TWO_YEARS = 2 * 366 * 86_400_000;
const DATE = /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: \d{4})?/g;

test.each(VIEW_SDKS)('a date of another year shows its year in %s', async (_view, sdkOf) => {
  const sdk = sdkOf();
  sdk.clock.advance(TWO_YEARS);
  // Under a chart whose range has a name there is no room for it.
  const dates = (await textOf(sdk, 'figure')).match(DATE) ?? [];
  expect(dates.filter((date) => !/\d{4}$/.test(date))).toEqual([]);
});

test('a case taken on another day shows the day', async () => {
  const sdk = supportSdk(APPEAL.id);
  const taken = { by: 'b'.repeat(32), username: 'olek', at: '2026-11-18T10:14:00Z' };
  sdk.api.on(at.support.oneCase, { ...APPEAL, taken });
  expect(await textOf(sdk)).toContain('olek took this at 18 Nov, 10:14.');
});
