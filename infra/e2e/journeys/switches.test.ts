import { SWITCHED_OFF_TEXTS } from '@cord/contracts/switches';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { call, type Newcomer, signIn } from '../../test/kit/people.ts';
import { type Visitor, visitor } from '../browser.js';
import { enter } from '../people.js';
import { button, goTo, seen, toast } from '../screens.js';

const origin = inject('origin');
const SWITCHES = ['claims', 'module.mfe_leaderboard'];
const PAUSED = SWITCHED_OFF_TEXTS.claims;
let operator: Newcomer;
let person: Visitor;
let page: Page;

beforeAll(async () => {
  operator = await signIn(origin, { years: 2, username: `operator${Math.random().toString(36).slice(2, 8)}` });
  await fetch(`${origin}/dev/users/${operator.id}/admin`, { method: 'POST' });
  person = await visitor();
  ({ page } = person);
  await enter(person, origin, { tab: 'tasks' });
});
// Waits until the services know the admin.
beforeEach(() => expect.poll(() => outcome('GET', '/admin/switches')).toBe('done'));
// All journeys share one system, so switch everything on again.
afterEach(async () => {
  for (const name of SWITCHES) await flip(name, true);
});

/** Makes a call of the operator. @returns `done`, or the type of the refusal */
const outcome = (method: string, path: string, body?: object): Promise<string> =>
  call(operator, method, path, body).then(
    () => 'done',
    (error: { type?: string; message: string }) => error.type ?? error.message,
  );

const flip = (name: string, on: boolean) => call(operator, 'PUT', `/admin/switches/${name}`, { on, why: 'A journey' });

/** Waits until the services know the switch; an act before that succeeds. */
const untilSwitched = (isOff: boolean, path: string, body?: object) =>
  expect.poll(async () => (await outcome('POST', path, body)) === 'switched-off').toBe(isOff);

test('claims switched off by an operator are shown as paused, and work once switched on again', async () => {
  const checkIn = ['/daily-checkin/perform', { userId: operator.id }] as const;
  await flip('claims', false);
  await untilSwitched(true, ...checkIn);
  await button(page, 'Check in for 55 CORD').click();
  await seen(page, PAUSED);
  await flip('claims', true);
  await untilSwitched(false, ...checkIn);
  await button(page, 'Check in for 55 CORD').click();
  await toast(page, 'Daily Check-in Complete!');
  expect(person.problems).toEqual([]);
});

test('a module switched off by an operator is shown so in open pages, the rest works, and it returns by itself', async () => {
  const rankings = page.getByRole('heading', { name: 'Rankings', exact: true });
  const isOff = page.getByText('Rankings is switched off for now');
  await goTo(page, 'leaderboard');
  await rankings.waitFor();
  await flip('module.mfe_leaderboard', false);
  await isOff.waitFor();
  await goTo(page, 'tasks');
  await page.getByRole('heading', { name: 'Task Center' }).waitFor();
  await goTo(page, 'leaderboard');
  await isOff.waitFor();
  await flip('module.mfe_leaderboard', true);
  await rankings.waitFor();
  expect(person.problems).toEqual([]);
});
