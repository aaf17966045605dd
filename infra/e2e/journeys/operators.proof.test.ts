import type { BadgeOrder } from '@cord/contracts/http/rewards';
import { Keypair } from '@solana/web3.js';
import { describe, expect, inject, test } from 'vitest';
import { secret } from '../../dev/starter/data-folder.ts';
import { advance } from '../../test/kit/clock.ts';
import { NO_ORDER, pay } from '../../test/kit/pay.ts';
import { shot, type Visitor, visitor, widths } from '../browser.js';
import { api, enter, enterAsOperator, type Signed } from '../people.js';
import { publishByHand, ROOM } from '../room.js';
import { act, button, seen } from '../screens.js';

const origin = inject('origin');
const ROOM_TAB = { id: 'room', words: { en: 'The room', de: 'Der Raum' }, icon: 'shield', order: 45, for: 'admins' };

describe.each(widths('desk'))('the operators’ room (%s)', (width) => {
  test('is open to admins only, from their promotion on, with an overview and support cases', async () => {
    const person = await visitor(width);
    const { page } = person;
    await enter(person, origin);
    expect(await page.getByTestId('tab-admin').count()).toBe(0);
    expect((await api(page, 'GET', '/admin/overview')).status).toBe(403);
    const { body } = await api<{ user: { id: string } }>(page, 'GET', '/auth/me');
    await fetch(`${origin}/dev/users/${body.user.id}/admin`, { method: 'POST' });
    await expect.poll(async () => (await api(page, 'GET', '/admin/overview')).status).toBe(200);

    await page.goto(`${origin}/?tab=admin`);
    const room = page.getByTestId('operators-overview');
    await room.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await room.getByTestId('issued-chart').waitFor();
    await seen(room, 'Active nodes');
    await seen(room, '7 of 7 normal');
    // Today's issue includes the operator's own welcome credit.
    await room.getByRole('radio', { name: 'Table' }).check();
    const [, today] = await room.getByRole('table', { name: 'CORD issued by source' }).getByRole('row').all();
    await expect.poll(() => today?.getByRole('cell').last().textContent()).not.toBe('0.00');
    await shot(page, `operators-overview-${width}`);

    const writer = await visitor(width);
    await enter(writer, origin);
    const request = { kind: 'support', subject: 'My streak says 4', text: 'It was 5 yesterday evening.' };
    const filed = await api<{ id: string }>(writer.page, 'POST', '/support', request);
    await page.goto(`${origin}/?tab=admin&view=support&case=${filed.body.id}`);
    const one = page.getByTestId('case');
    await seen(one, 'It was 5 yesterday evening.');
    await one.getByRole('button', { name: /^Take it/ }).click();
    await seen(one, /You took it at/);
    await one.getByRole('textbox').fill('Thank you. It counts from 00:00 UTC.');
    await one.getByRole('button', { name: 'Answer', exact: true }).click();
    await seen(one, /^Answered /);
    await shot(page, `operators-case-${width}`);
    const own = async () => (await api<{ answer: string | null }[]>(writer.page, 'GET', '/support')).body[0]?.answer;
    await expect.poll(own).toBe('Thank you. It counts from 00:00 UTC.');
    expect(person.problems.filter((problem) => !/403/.test(problem))).toEqual([]);
  });

  if (width === 'desk') {
    test('keeps the ends of its header with seven tabs in sight at every width', async () => {
      const operator = await visitor(width);
      await enterAsOperator(operator, origin);
      const { page } = operator;
      await page.getByTestId('tab-admin').waitFor();
      await page.getByTestId('notices-unread').waitFor();
      for (const px of [1024, 1100, 1199, 1200, 1280, 1359, 1360, 1440]) {
        await page.setViewportSize({ width: px, height: 900 });
        await expect.poll(() => page.evaluate('innerWidth')).toBe(px);
        await shot(page, `operators-header-${px}`);
        const over =
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('header > div'))";
        expect([px, await page.evaluate(over)]).toEqual([px, 0]);
      }
    });
  }

  test('shows releases, rolls back, runs a canary, and switches off a module that others have open', async () => {
    const [operator, other] = [await visitor(width), await visitor(width)];
    await enter(other, origin, { tab: 'leaderboard' });
    await enterAsOperator(operator, origin);
    const { page } = operator;
    const room = await operator.context.newPage();
    const shows = (text: string) =>
      expect
        .poll(async () => {
          await room.goto(`${origin}/?tab=room`);
          return room
            .locator('main')
            .getByText(text)
            .waitFor({ timeout: 5_000 })
            .then(
              () => true,
              () => false,
            );
        })
        .toBe(true);
    const [first, second] = [`The first room at ${width}`, `The second room at ${width}`];
    for (const text of [first, second]) await publishByHand(text, { tab: ROOM_TAB, parts: [] });
    await shows(second);

    await page.goto(`${origin}/?tab=admin&view=modules&module=${ROOM}`);
    const card = page.getByRole('region', { name: ROOM, exact: true });
    const journal = page.getByRole('region', { name: `Journal of ${ROOM}` });
    const newest = journal.getByRole('listitem').first();
    await seen(newest, 'A journey');
    const version = /\S+-\w+/.exec((await newest.locator('strong').textContent()) ?? '')?.[0] ?? '';
    await act(button(card, 'Roll back'), 'The second is wrong');
    await seen(newest, /^Rolled back to /);
    await seen(newest, 'The second is wrong');
    await shows(first);

    await act(journal.getByRole('button', { name: `As canary, ${version}` }), 'For a tenth first');
    await seen(card, `${version}, 10% of the browsers`);
    await shot(page, `operators-canary-${width}`);
    await act(button(card, 'End canary'), 'A tenth has seen it');
    await seen(newest, 'A tenth has seen it');
    await shows(first);

    // A user with the module's page open sees the change at once, in both directions.
    const rankings = other.page.getByRole('heading', { name: 'Rankings', exact: true });
    await rankings.waitFor();
    await page.goto(`${origin}/?tab=admin&view=modules&module=mfe_leaderboard`);
    const theirs = page.getByRole('region', { name: 'mfe_leaderboard', exact: true });
    await act(button(theirs, 'Switch off'), 'Wrong ranks');
    await seen(other.page, 'Rankings is switched off for now');
    await seen(page.getByRole('region', { name: 'Switches' }), /, you: Wrong ranks$/);
    await shot(page, `operators-switched-off-${width}`);
    await act(button(theirs, 'Switch on'), 'Right again');
    await rankings.waitFor();

    const { body } = await api<{ entries: { action: string }[] }>(page, 'GET', '/admin/audit?limit=5');
    expect(body.entries.map(({ action }) => action)).toEqual([
      'switch.on',
      'switch.off',
      'module.end-canary',
      'module.canary',
      'module.rollback',
    ]);
    expect([operator.problems, other.problems]).toEqual([[], []]);
  });

  test('refunds a payment without an order: it is recorded for its buyer, returned, entered and confirmed', async () => {
    const [buyer, operator] = [await visitor(width), await visitor(width)];
    const { userId } = await enter(buyer, origin);
    const { body: order } = await api<BadgeOrder>(buyer.page, 'POST', '/badge-orders', {});
    const { treasury, lamports } = order;
    const payer = Keypair.generate();
    const paid = await pay(origin, { treasury, lamports, reference: NO_ORDER }, payer);
    await advance(origin, '30s');
    await enterAsOperator(operator, origin);
    const { page } = operator;
    await page.goto(`${origin}/?tab=admin&view=users&user=${userId}`);
    await button(page, 'Record a payment').click();
    await page.getByTestId('confirm').getByLabel('Transaction').fill(paid);
    await page.getByLabel('Reason, recorded in Audit').fill('Paid from an exchange');
    await page.getByLabel('Reason, recorded in Audit').press('Enter');
    await seen(page, 'Recorded. It waits under Refunds.');

    const treasurer = Keypair.fromSeed(Buffer.from(await secret(inject('dataDir'), 'solana-treasury'), 'hex'));
    const to = payer.publicKey.toBase58();
    const returned = await pay(origin, { treasury: to, lamports, reference: NO_ORDER }, treasurer);
    await page.goto(`${origin}/?tab=admin&view=refunds`);
    const row = page.getByTestId('refund').filter({ hasText: to });
    await button(row, /^Enter transaction/).click();
    await page.getByTestId('confirm').getByLabel('Transaction').fill(returned);
    await shot(page, `operators-refund-${width}`);
    await page.getByTestId('confirm').getByLabel('Transaction').press('Enter');
    await seen(row, /entered .* UTC, not confirmed yet$/);
    await advance(origin, '1m');
    const refunds = async () => (await api<BadgeOrder[]>(buyer.page, 'GET', '/badge-orders')).body[0]?.refunds;
    await expect.poll(refunds).toMatchObject([{ status: 'returned', returnTransaction: returned }]);
    await row.waitFor({ state: 'detached' });
    expect([buyer.problems, operator.problems]).toEqual([[], []]);
  });

  /** Only behind a trusted proxy do these users have a countable address (`npm run proof -- operators`). */
  if (process.env.TRUSTED_PROXIES) {
    test('answers an appeal: its author gets a notice, and the full rate again', async () => {
      const household: (Visitor & Signed)[] = [];
      for (const _ of ['author', 'wife', 'son']) {
        const one = await visitor(width, { worker: false });
        await one.context.setExtraHTTPHeaders({ 'x-forwarded-for': width === 'desk' ? '203.0.113.7' : '203.0.113.8' });
        household.push({ ...one, ...(await enter(one, origin)) });
      }
      const everyone = (act: string) =>
        Promise.all(household.map(({ page, userId }) => api(page, 'POST', `/users/${userId}/${act}`, {})));
      await everyone('activate-node');
      await advance(origin, '70m');
      await everyone('deactivate-node');
      const [author] = household as [Visitor & Signed];
      const { page } = author;
      const check = async () =>
        (await api<{ mayAppeal: boolean; efficiencyMultiplier: number }>(page, 'GET', '/anticheat/status')).body;
      await expect.poll(async () => (await check()).mayAppeal).toBe(true);
      // After the hour of mining, since marking requires a recent sign-in.
      const operator = await visitor(width);
      await enterAsOperator(operator, origin);

      await page.goto(`${origin}/?tab=settings`);
      await button(page, 'Appeal').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('What is it about?').fill('We are a family of three, one router.');
      await button(dialog, 'Send appeal').click();
      await seen(page, 'Appeal waiting');
      const [filed] = (await api<{ id: string }[]>(page, 'GET', '/support')).body;

      await operator.page.goto(`${origin}/?tab=admin&view=support&case=${filed?.id}`);
      const one = operator.page.getByTestId('case');
      await seen(one, 'We are a family of three, one router.');
      await expect.poll(() => one.getByRole('table').getByRole('row').count()).toBe(1 + household.length);
      await one.getByRole('textbox').first().fill('Thank you. One household may mine from one address.');
      await button(one, /^Mark address as shared and answer/).click();
      await shot(operator.page, `appeal-decided-${width}`);
      await operator.page
        .getByTestId('confirm')
        .getByRole('button', { name: /^Mark address as shared/ })
        .click();
      await seen(one, /^Answered /);

      await expect.poll(() => page.getByTestId('notices-unread').getAttribute('data-value')).toBe('1');
      await page.getByTestId('notices-unread').click();
      await page.getByTestId('notices').getByRole('link', { name: 'Your appeal has been answered' }).click();
      await seen(page, 'Thank you. One household may mine from one address.');
      await expect.poll(async () => (await check()).efficiencyMultiplier).toBe(1);
      await shot(page, `appeal-answered-${width}`);
      // The audit trail shows each act with its reason, and acts can be undone.
      const { body } = await api<{ entries: { action: string; detail: { reason?: string } }[] }>(
        operator.page,
        'GET',
        '/admin/audit',
      );
      const number = filed?.id.slice(0, 4);
      expect(body.entries.find(({ action }) => action === 'address.shared')?.detail.reason).toBe(`Appeal ${number}`);
      expect([author.problems, operator.problems]).toEqual([[], []]);
    });
  }
});
