import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { shot, visitor } from '../browser.js';
import { cutOffAtAll, makeRich } from '../cut-off.js';
import { api, enter, enterAsOperator, makeAccount } from '../people.js';

const origin = inject('origin');

/** A name as long as Discord allows, without a break opportunity. */
const longName = () => `quarterlyreporting${randomUUID().replaceAll('-', '')}`.slice(0, 32);

/** Places of the app, each with what shows that it has loaded. */
const PLACES: readonly {
  query: string;
  there: (page: Page) => Promise<unknown>;
  open?: (page: Page) => Promise<unknown>;
}[] = [
  {
    query: '',
    there: async (page) => {
      // Content below loads once the page is quiet.
      for (const id of ['node-toggle', 'open-earnings', 'streak']) await page.getByTestId(id).first().waitFor();
    },
  },
  { query: '?tab=settings', there: (page) => page.getByTestId('settings-saved').waitFor() },
  { query: '?tab=node', there: (page) => page.getByTestId('node-toggle').first().waitFor() },
  { query: '?tab=tasks', there: (page) => page.getByTestId('task-early-adopter').waitFor() },
  { query: '?tab=leaderboard', there: (page) => page.getByRole('searchbox').first().waitFor() },
  { query: '?tab=referrals', there: (page) => page.locator('main#page').getByRole('heading').first().waitFor() },
  { query: '?view=earnings', there: (page) => page.locator('main#page').getByRole('heading', { level: 1 }).waitFor() },
  ...['30d', '12m'].map((range) => ({
    query: `?view=earnings&as=table&range=${range}`,
    there: (page: Page) => page.getByTestId('earnings-table').waitFor(),
  })),
  { query: '?tab=tasks&view=streak', there: (page) => page.getByTestId('streak-calendar').first().waitFor() },
  {
    query: '?tab=node',
    there: (page) => page.getByTestId('balance').first().waitFor(),
    open: async (page) => {
      await page.getByTestId('balance').first().click();
      await page.getByTestId('ledger').waitFor();
    },
  },
];

/** Views of the operators' room; the first has the widest table. */
const LONGEST_SWITCH = 'module.mfe_leaderboard';
const ACT_TEXTS: object = JSON.parse(readFileSync('infra/admin/languages/de.json', 'utf8'))['operators-acts'];
const ACTS = Object.keys(ACT_TEXTS).filter((name) => !/^(fact|is)\./.test(name));
const OPERATORS_VIEWS = ['epochs', 'overview', 'support', 'users', 'audit', 'holds', 'modules'] as const;

/** Runs in the page: spaces texts out to the limit of WCAG 1.4.12. */
const SPACE_OUT = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

/** Waits until nothing is pending and fonts are loaded, so that the layout is stable. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready');
}

describe.each(['de', 'en'])('nothing is cut off at any width (%s)', (locale) => {
  test.each(['new', 'rich'])('for a user with a name of 32 letters (%s)', async (sums) => {
    const person = await visitor('desk', { worker: false });
    const { page } = person;
    const { userId } = await enter(person, origin, {
      account: await makeAccount(origin, 5.4, longName()),
      tab: 'settings',
    });
    await api(page, 'PUT', `/users/${userId}`, { locale });
    if (sums === 'rich') await makeRich(page);
    const found: string[] = [];
    for (const { query, there, open } of PLACES) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${origin}/${query}`);
      await there(page);
      await open?.(page);
      await settled(page);
      found.push(...(await cutOffAtAll(page)).map((line) => `${query} ${line}`));
      await shot(page, `cut-off-${locale}-${sums}-${query.replace(/\W+/g, '-')}`);
    }
    expect(found).toEqual([]);
    await person.leave();
  });

  test('in the operators’ room', async () => {
    const person = await visitor('desk', { worker: false });
    const { page } = person;
    await enterAsOperator(person, origin);
    const { body } = await api<{ user: { id: string } }>(page, 'GET', '/auth/me');
    await api(page, 'PUT', `/users/${body.user.id}`, { locale });
    // The longest target of an undoable audit line, and every act.
    for (const on of [false, true])
      expect(await api(page, 'PUT', `/admin/switches/${LONGEST_SWITCH}`, { on, why: 'A journey' })).toMatchObject({
        status: 200,
      });
    await page.route('**/api/admin/audit?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [line] = body.entries;
      const entries = ACTS.map((action, n) => ({ ...line, id: String(n).padStart(32, '0'), action, undo: 'open' }));
      await route.fulfill({ response, json: { ...body, entries } });
    });
    const found: string[] = [];
    for (const view of OPERATORS_VIEWS) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${origin}/?tab=admin&view=${view}`);
      const main = page.locator('main#page');
      await main.getByRole('heading', { level: 1 }).waitFor();
      if (view === 'epochs') await main.getByRole('row').nth(9).waitFor();
      await settled(page);
      found.push(...(await cutOffAtAll(page)).map((line) => `${view} ${line}`));
      await shot(page, `cut-off-${locale}-${view}`);
    }
    expect(found).toEqual([]);
    await person.leave();
  });

  test('for a guest', async () => {
    const person = await visitor('desk', { worker: false, locale });
    const { page } = person;
    await page.goto(origin);
    await page.getByRole('table').waitFor();
    await settled(page);
    expect(await cutOffAtAll(page)).toEqual([]);
    await page.evaluate(SPACE_OUT);
    expect((await cutOffAtAll(page)).filter((line) => line.endsWith('the screen'))).toEqual([]);
    await person.close();
  });
});
