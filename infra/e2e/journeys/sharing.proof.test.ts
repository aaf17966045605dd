import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { enter, makeAccount, ownCode } from '../people.js';
import { button, goTo, seen } from '../screens.js';

const origin = inject('origin');

describe.each(widths('phone'))('what a miner shows to others (%s)', (width) => {
  test('a page that opens from the rankings and goes back to them as they were, and a link whose card names the rank', async () => {
    const name = `beacon${Math.random().toString(36).slice(2, 8)}`;
    const other = await visitor();
    await enter(other, origin, { account: await makeAccount(origin, 6.1, name) });
    await other.close();
    const person = await visitor(width);
    const { page, context } = person;
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const { userId } = await enter(person, origin, { tab: 'leaderboard' });

    await page.getByPlaceholder('Search by username').fill(name);
    await page.getByRole('link', { name: new RegExp(name) }).click();
    const profile = page.getByTestId('profile');
    await profile.getByRole('heading', { level: 1, name }).waitFor();
    await seen(
      profile,
      'This is everything other miners can see, including on your own profile. Balance, rate, streak, tasks and friends are not public.',
    );
    expect(new URL(page.url()).searchParams.get('miner')).toMatch(/^[0-9a-f]{32}$/);
    await shot(page, `miner-${width}`);
    await page.goBack();
    expect(await page.getByPlaceholder('Search by username').inputValue()).toBe(name);

    await page.goto(`${origin}/?tab=leaderboard&miner=${userId}`);
    await withoutShareSheet(page);
    // The text is there for seconds: it is looked for before it comes.
    await Promise.all([seen(page, 'Link copied'), button(profile, 'Share your rank').click()]);
    const link = await copied(page);
    expect(new URL(link).searchParams.get('miner')).toBe(userId);
    await expectCard(link, `/share/rank/${userId}.png`);
    await person.leave();
  });

  test('an invitation whose card names who invites; a code of no user has none', async () => {
    const person = await visitor(width);
    const { userId } = await enter(person, origin);
    const code = await ownCode(person.page, userId);
    await expectCard(`${origin}/?ref=${code}`, `/share/${code}.png`);
    expect((await fetch(`${origin}/share/ZZZZZZZZ.png`)).status).toBe(404);
    await goTo(person.page, 'referrals', width);
    await button(person.page, 'Show the card').click();
    const card = person.page.locator(`img[src^="/share/${code}.png"]`);
    await expect
      .poll(() => card.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1_200);
    await shot(person.page, `invitation-card-${width}`);
    await person.leave();
  });

  test('an offer of the browser to install the app stands in Settings until it is taken', async () => {
    const person = await visitor(width);
    const { page } = person;
    await enter(person, origin);
    await goTo(page, 'settings', width);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await page.getByTestId('install').count()).toBe(0);
    await page.evaluate(`{
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      offer.prompt = async () => document.body.setAttribute('data-prompted', '');
      dispatchEvent(offer);
    }`);
    await page.getByTestId('install').click();
    await page.locator('body[data-prompted]').waitFor();
    await expect.poll(() => page.getByTestId('install').count()).toBe(0);
    await person.leave();
  });
});

/** As on a desk without one: the link is copied. */
const withoutShareSheet = (page: Page) =>
  page.evaluate(`Object.defineProperty(navigator, 'share', { value: undefined, configurable: true })`);

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** The page behind a link names a card for previews, and the card is there, as large as declared. */
async function expectCard(link: string, path: string): Promise<void> {
  const html = await (await fetch(link)).text();
  const address = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(new URL(address).pathname).toBe(path);
  const card = await fetch(address);
  expect(card.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await card.arrayBuffer());
  // The size stands at the head of a PNG.
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1_200, 630]);
}
