import { rulesEndpoints } from '@cord/contracts/http/rules';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { call, makeAdmin, signInByBearer } from '../api/client.js';
import { launch, shot, visitor, widths } from '../browser.js';
import { api, enter } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');
let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const advanceTo = async (ms: number) => advance(origin, `${Math.max(1, ms - (await systemNow(origin)))}ms`);

/** One operator proposes changes of the base rate, another one confirms them. */
async function announce(...changes: { fromMs: number; baseNano: number }[]): Promise<void> {
  const [one, other] = [await makeAdmin(await signInByBearer(origin)), await makeAdmin(await signInByBearer(origin))];
  for (const { fromMs, baseNano } of changes) {
    const said = { reason: 'The base rate changes', sooner: 'No journey waits for three days' };
    const body = { from: new Date(fromMs).toISOString(), changes: { baseNano }, ...said };
    const proposed = await call(one, rulesEndpoints.propose, { body });
    expect(proposed.status).toBe(201);
    const { id } = proposed.body as { id: string };
    const decision = { decision: 'confirm', reason: 'As agreed' };
    const confirmed = await call(other, rulesEndpoints.decide, { params: { id }, body: decision });
    expect(confirmed.status).toBe(200);
  }
}

interface Mined {
  source: string;
  facts: string;
  at: string;
}

/** Rate and length of the mining entries of a user, the oldest first. */
async function mined(page: Page, userId: string): Promise<{ rateNano: bigint; ms: number; at: string }[]> {
  const { body } = await api<{ entries: Mined[] }>(page, 'GET', `/users/${userId}/ledger?limit=100`);
  const facts = body.entries.filter(({ source }) => source === 'mining').reverse();
  return facts.map(({ facts: text, at }) => {
    const [rate = '', ms = ''] = text.split(' ');
    return { rateNano: BigInt(rate), ms: Number(ms), at };
  });
}

describe.each(widths('phone'))('the rules (%s)', (width) => {
  test('stand open to everybody; a change that two operators make is announced with the own rate, and each part of a session is paid by its own book', async () => {
    const guest = await visitor(browser, width);
    await guest.page.goto(origin);
    await guest.page.getByRole('link', { name: 'Rules' }).click();
    await guest.page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await seen(guest.page, 'Base rate');
    const person = await visitor(browser, width);
    const { page } = person;
    const { userId } = await enter(person, origin);

    const hourMs = Math.floor((await systemNow(origin)) / HOUR_MS) * HOUR_MS;
    const fromMs = hourMs + 2 * HOUR_MS + 30 * MINUTE_MS;
    await announce({ fromMs, baseNano: 600_000_000 }, { fromMs: fromMs + HOUR_MS, baseNano: 500_000_000 });
    await page.reload();
    await page.getByTestId('own-rate-change').waitFor();
    await page.getByTestId('rules-ahead').getByRole('button', { name: 'Rules' }).click();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await seen(page.getByTestId('rules-ahead'), 'Base rate: 0.500000 CORD/min before, 0.600000 CORD/min after');
    await seen(page.getByTestId('rules-ahead'), /^Less than 72 hours’ notice, because: No journey/);
    await shot(page, `rules-${width}`);
    await button(page, 'Back').click();
    await guest.page.reload();
    await guest.page.getByTestId('rules-ahead').waitFor();
    expect(await guest.page.getByTestId('own-rate-change').count()).toBe(0);

    await page.goto('about:blank');
    await advanceTo(fromMs - 10 * MINUTE_MS);
    await page.goto(origin);
    await api(page, 'POST', `/users/${userId}/mining/start`, {});
    await advanceTo(fromMs + 20 * MINUTE_MS);
    await api(page, 'POST', `/users/${userId}/deactivate-node`, {});
    const [before, after] = (await mined(page, userId)).slice(-2);
    expect(before?.at).toBe(new Date(fromMs).toISOString());
    expect(after?.rateNano).toBe(((before?.rateNano ?? 0n) * 6n) / 5n);
    expect(after?.ms).toBeGreaterThanOrEqual(20 * MINUTE_MS);
    await advanceTo(fromMs + HOUR_MS + MINUTE_MS);
  });
});
