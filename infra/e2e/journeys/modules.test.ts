import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { folderStore } from '@cord/deploy/store/folder-store';
import { switchTo, uploadVersion } from '@cord/deploy/store/releases';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { BREAKAGES, publishElsewhere } from '../breakages.js';
import { inProof, type Visitor, visitor } from '../browser.js';
import { NOTE, PAGE, startGuest } from '../guest.js';
import { enter } from '../people.js';
import { changeRegistry, withEntry } from '../registry-in-page.js';
import { RANGES, ROOM, roomBuild } from '../room.js';
import { button, goTo, seen } from '../screens.js';

const origin = inject('origin');
const store = folderStore(join(inject('dataDir'), 'modules'));
let person: Visitor;

beforeAll(async () => {
  person = await visitor('desk', { worker: false });
  await enter(person, origin);
});

const TAB = { id: 'room', words: { en: 'The room', de: 'Der Raum' }, icon: 'shield', order: 45, for: 'signed-in' };
const PART = { name: 'note', words: { en: 'A note' }, room: 'card', place: 'dashboard.cards', order: 5 };

async function publishRoom(version: string, text: string, brings: Parameters<typeof roomBuild>[1]): Promise<void> {
  const folder = await roomBuild(text, brings);
  const facts = await uploadVersion(store, {
    name: ROOM,
    version,
    sdk: RANGES['@cord/sdk'],
    ui: RANGES['@cord/ui'],
    folder,
  });
  await switchTo(store, ROOM, facts, { who: 'a journey', by: 'person' });
  await rm(folder, { recursive: true });
}

test('a new module shows its tab and part in an open page and by link; a version without a tab removes it', async () => {
  const { page, problems } = person;
  await publishRoom('1.0.0-a', 'A room of its own', { tab: TAB, parts: [PART] });
  await page.getByTestId('tab-room').waitFor();
  const tabs = await page
    .locator('header [data-testid^="tab-"]')
    .evaluateAll((all) => all.map((tab) => tab.textContent));
  expect(tabs.map((name) => name?.replace(/ \(.*/, ''))).toEqual(
    'Dashboard Mining Tasks Rankings The room Referrals Settings'.split(/ (?!room)/),
  );
  await seen(page.locator('main'), 'A room of its own');
  await goTo(page, 'room');
  await seen(page.locator('main'), 'A room of its own');
  await expect.poll(() => page.title()).toBe('The room · CORD');
  await page.goto(`${origin}/?tab=room`);
  await seen(page.locator('main'), 'A room of its own');
  // A version without a tab removes it; an address that still names it leads to the dashboard.
  await publishRoom('1.0.0-b', 'Nothing', { parts: [] });
  await expect
    .poll(async () => {
      await page.goto(`${origin}/?tab=room`);
      await page.getByTestId('tab-dashboard').first().waitFor();
      return new URL(page.url()).search;
    })
    .toBe('');
  expect(await page.getByTestId('tab-room').count()).toBe(0);
  expect(problems).toEqual([]);
});

const rankings = (page: Page) => page.getByRole('heading', { name: 'Rankings', exact: true });
const panel = (page: Page) => page.locator('main').getByTestId('error-panel');

/** Runs a journey on a new page of the user, in which something will break. */
async function inPage(journey: (page: Page) => Promise<void>): Promise<void> {
  const page = await person.context.newPage();
  await journey(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
}

for (const { name, breaks, mends, shows = 'Rankings could not be loaded', blind = false } of BREAKAGES) {
  inProof(`${name}: the rest works, its area shows it, and Retry brings it once that is mended`, () =>
    inPage(async (page) => {
      await breaks(page);
      await page.goto(`${origin}/?tab=leaderboard`);
      await panel(page).filter({ hasText: shows }).first().waitFor();
      expect(await page.getByTestId('balance').first().isVisible()).toBe(true);
      await goTo(page, 'settings');
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      await page.goBack();
      await panel(page).filter({ hasText: shows }).first().waitFor();
      if (blind) expect(await page.getByTestId('tab-leaderboard').count()).toBe(0);
      await (mends?.(page) ?? page.unrouteAll({ behavior: 'ignoreErrors' }));
      // A tab change reads the registry too, so what is repaired by then loads without a press.
      const pressed = button(page.locator('main'), /^(Retry|Reload)$/).click();
      await Promise.race([pressed.catch(() => undefined), rankings(page).waitFor()]);
      await rankings(page).waitFor();
    }),
  );
}

inProof(
  'an open module that is replaced by one that fails to load stays; its next visit shows the failure, and after a rollback Retry loads it',
  () =>
    inPage(async (page) => {
      await page.goto(`${origin}/?tab=leaderboard`);
      await rankings(page).waitFor();
      await publishElsewhere(page);
      await page.route('**/modules/mfe_leaderboard/1.0.0-elsewhere/**', (route) => route.fulfill({ status: 404 }));
      expect(await rankings(page).isVisible()).toBe(true);
      await expect
        .poll(async () => {
          await goTo(page, 'settings');
          await page.getByRole('heading', { name: 'Settings' }).waitFor();
          await goTo(page, 'leaderboard');
          await rankings(page).or(panel(page)).first().waitFor();
          return panel(page).isVisible();
        })
        .toBe(true);
      await changeRegistry(
        page,
        withEntry('mfe_leaderboard', (entry) => entry),
      );
      await button(page.locator('main'), /^(Retry|Reload)$/).click();
      await rankings(page).waitFor();
    }),
);

inProof(
  'a module that is served into a running shell reloads the page with each change, and the page stays while the module does not build',
  async () => {
    const guest = await startGuest(origin);
    const { page, problems } = await visitor('desk', { worker: false });
    try {
      await enter({ context: page.context(), page } as Visitor, origin);
      await page.goto(`${guest.origin}/?tab=guest`);
      const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
      const change = (from: string, to: string) => guest.write('guest-page.tsx', PAGE.replace(from, to));
      await heading('First guest');
      await change('First', 'Second');
      await heading('Second guest');
      await page.evaluate('window.isSamePage = true');
      await change('<h1>First', '<h1>First </h2>');
      await guest.prints(/ERROR in[\s\S]*guest-page\.tsx/);
      await heading('Second guest');
      expect(await page.evaluate('window.isSamePage === true')).toBe(true);
      await change('First', 'Third');
      await heading('Third guest');
      await goTo(page, 'dashboard');
      await button(page, 'Guest counts 0').click();
      await guest.write('note.tsx', NOTE.replace('Guest counts', 'Still at'));
      await button(page, 'Still at 0').waitFor();
      expect(problems.filter((problem) => !/guest-page\.tsx/.test(problem))).toEqual([]);
    } finally {
      await page.context().close();
      await guest.stop();
    }
  },
);
