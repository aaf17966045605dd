// @vitest-environment jsdom
import type { TestSdk } from '@cord/sdk/testing';
import { inFakeTime } from '@cord/sdk/testing/render';
import { withoutLayout } from '@cord/ui/testing';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { auditSdk } from '../audit/audit.fixtures';
import { correctionsSdk } from '../corrections/corrections.fixtures';
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
beforeEach(() => {
  withoutLayout();
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
inFakeTime();

async function textIn(timeZone: string, sdk: TestSdk): Promise<string> {
  process.env.TZ = timeZone;
  const { container, unmount } = await openRoom(sdk);
  const text = container.textContent ?? '';
  unmount();
  return text;
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
  ['modules', () => modulesSdk()],
  ['the trail', () => auditSdk()],
];

test.each(VIEW_SDKS)('times and days of %s are those of UTC, wherever the operator is', async (_view, sdk) => {
  const [one, other] = [await textIn(ZONES[0]!, sdk()), await textIn(ZONES[1]!, sdk())];
  expect(one.length).toBeGreaterThan(200);
  expect(one).toBe(other);
});
