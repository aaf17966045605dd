import type { BrowserContext, Page, Request } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { inProof, type Visitor, visitor } from '../browser.js';
import { api, enter, makeAccount } from '../people.js';
import { seen, setVisible, toast } from '../screens.js';

const origin = inject('origin');

/** Time to watch an idle dashboard, ms. */
const REST_MS = 20_000;

const toggle = (page: Page) => page.getByTestId('node-toggle').first();
const isSave = (request: Request) => /\/mining\/[0-9a-f]+\/save$/.test(request.url());
const isTasks = (request: Request) => /\/users\/[^/]+\/tasks$/.test(request.url());
const isStream = (request: Request) => request.url() === `${origin}/api/events`;

/** Records a browser's requests to the services from now on, each with its page. */
function listen(context: BrowserContext) {
  const calls: { request: Request; page: Page }[] = [];
  const note = (request: Request) => {
    if (request.url().startsWith(`${origin}/api/`)) calls.push({ request, page: request.frame().page() });
  };
  context.on('request', note);
  return calls;
}

const byPage = (calls: ReturnType<typeof listen>, page: Page, what: (request: Request) => boolean) =>
  calls.filter((each) => each.page === page && what(each.request)).length;

async function withNode(person: Visitor): Promise<void> {
  await toggle(person.page).click();
  await toast(person.page, 'Mining Node Started!');
}

describe('live updates', () => {
  test('run over one stream and one saving tab, the visible one, also after that one closes', async () => {
    const person = await visitor();
    const first = person.page;
    const calls = listen(person.context);
    await enter(person, origin);
    await withNode(person);
    await expect.poll(() => byPage(calls, first, isStream)).toBe(1);
    const second = await person.context.newPage();
    await second.goto(origin);
    await toggle(second).filter({ hasText: 'Stop Mining' }).waitFor();
    await setVisible(second, false);

    // The first tab is the leader.
    expect(byPage(calls, second, isStream) + byPage(calls, second, isSave)).toBe(0);

    // The second tab becomes visible: within a second it takes over the stream and the saves.
    await setVisible(first, false);
    await setVisible(second, true);
    await expect.poll(() => byPage(calls, second, isStream), { interval: 20 }).toBe(1);
    const atChange = calls.length;
    await expect.poll(() => byPage(calls.slice(atChange), second, isSave)).toBe(1);
    expect(byPage(calls.slice(atChange), first, isSave)).toBe(0);

    // It closes: the other tab, visible again, takes over within a second.
    await second.close();
    await setVisible(first, true);
    await expect.poll(() => byPage(calls, first, isStream), { interval: 20 }).toBe(2);
    await person.leave();
  });

  test('show a start on another device whose response was lost, and the end of the session there', async () => {
    const account = await makeAccount(origin, 5.4);
    const [here, there] = [await visitor(), await visitor('phone')];
    await enter(here, origin, { account });
    await enter(there, origin, { account });
    await toggle(here.page).filter({ hasText: 'Start Mining' }).waitFor();

    // The act is retried automatically, with the same idempotency key.
    const keys: (string | undefined)[] = [];
    await there.page.route(/\/mining\/start$/, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await withNode(there);
    expect(keys).toEqual([expect.any(String), keys[0]]);
    await toggle(here.page).filter({ hasText: 'Stop Mining' }).waitFor();

    expect((await api(there.page, 'DELETE', '/auth/sessions')).status).toBe(204);
    // The sign-in dialog opens over the landing page once its code is loaded, and hides it from searches by role.
    await seen(here.page, 'You are signed out. Your node and balance are not affected.');
    expect([...here.problems, ...there.problems]).toEqual([]);
    await Promise.all([here.close(), there.close()]);
  });

  inProof('an idle dashboard requests only its saves, and its tasks every 30 s', async () => {
    const person = await visitor();
    // Requests made once the page is quiet are not counted; the ledger check reads the keys first and last.
    const answered = (path: RegExp, nth = 1) => {
      let times = 0;
      return person.page.waitForResponse((response) => {
        if (path.test(new URL(response.url()).pathname)) times += 1;
        return times === nth;
      });
    };
    const quiet = Promise.all([answered(/\/notices$/), answered(/\/leaderboard\/me$/), answered(/\/log\/keys$/, 2)]);
    await enter(person, origin);
    await withNode(person);
    await quiet;
    await person.page.waitForLoadState('networkidle');
    const calls = listen(person.context);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const requests = calls.map(({ request }) => `${request.method()} ${new URL(request.url()).pathname}`);
    const saves = calls.filter(({ request }) => isSave(request)).length;
    // Mounted modules are reported once, some seconds later.
    const reports = requests.filter((call) => call.endsWith('/client-errors')).length;
    const tasks = calls.filter(({ request }) => isTasks(request)).length;
    expect(requests.length - saves - reports - tasks, requests.join('\n')).toBeLessThanOrEqual(1);
    expect(tasks, requests.join('\n')).toBeLessThanOrEqual(1);
    expect(reports, requests.join('\n')).toBeLessThanOrEqual(1);
    expect(saves, requests.join('\n')).toBeLessThanOrEqual(3);
    await person.close();
  });
});
