import { at, problem, type TestSdk } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { CREDITS, creditsSdk } from './credits.fixtures';

testsOfView('credits');

const FIRST = 'Try again, account ffff…fff1, 120.00 CORD';

/** Presses Try again of the first credit, and again in the panel, which has the focus. */
async function retry(sdk: TestSdk) {
  const { user } = await openRoom(sdk);
  await user.click(screen.getByRole('button', { name: FIRST }));
  const panel = screen.getByTestId('confirm');
  expect(panel.textContent).toContain(CREDITS[0]?.key);
  expect(within(panel).queryByRole('textbox')).toBeNull();
  expect(document.activeElement).toBe(within(panel).getByRole('button', { name: 'Try again' }));
  await user.keyboard('{Enter}');
  await settle();
  return { user };
}

test('a refused credit shows its reason, and is retried with its key at its service', async () => {
  const sdk = creditsSdk();
  await retry(sdk);
  const [first, second] = CREDITS;
  expect(sdk.api.callsOf(at.operations.retryParkedCredit).map(({ body }) => body)).toEqual([
    { service: 'tasks', key: first?.key },
  ]);
  expect(sdk.shown).toMatchObject([{ kind: 'success', title: 'Credited.' }]);
  const [row, ...others] = screen.getAllByTestId('credit');
  expect(others).toEqual([]);
  expect(row?.textContent).toMatch(/amount-not-allowed: The amount is not allowed for this source.*CORD/);
  expect(row?.textContent).toContain(`Refused 20 Nov, 07:03 UTC · referrals · ${second?.key}`);
  expect(
    within(row as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(`?tab=admin&view=users&user=${second?.userId}`);
});

test.each([
  ['parked', 'warning', 'The ledger has refused it again.'],
  ['pending', 'info', 'The ledger did not respond. The credit is tried again automatically.'],
] as const)('the outcome of a retry can be %s', async (outcome, kind, title) => {
  const sdk = creditsSdk();
  sdk.api.on(at.operations.retryParkedCredit, { outcome });
  await retry(sdk);
  expect(sdk.shown).toMatchObject([{ kind, title }]);
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('a credit already retried by another operator shows a message, and the list is read again', async () => {
  const sdk = creditsSdk();
  sdk.api.fail(at.operations.retryParkedCredit, problem(404, 'No credit is parked under this key'));
  await retry(sdk);
  expect(sdk.shown).toMatchObject([{ kind: 'info', title: 'This credit is not waiting any more.' }]);
  expect(sdk.api.callsOf(at.operations.parkedCredits)).toHaveLength(2);
});

test('a retry goes to the credit’s own service, and invalidates credits, overview and Audit', async () => {
  const sdk = creditsSdk();
  const renewed = vi.spyOn(sdk.cache, 'invalidate');
  const { user } = await openRoom(sdk);
  await user.click(screen.getByRole('button', { name: 'Try again, account ffff…fff2, 86.50 CORD' }));
  await user.keyboard('{Enter}');
  await settle();
  expect(sdk.api.callsOf(at.operations.retryParkedCredit)).toMatchObject([{ body: { service: 'referrals' } }]);
  expect(renewed.mock.calls.flat(2).map((key) => key.at(-1))).toEqual(['credits', 'overview', 'trail']);
});

test('with an old sign-in the panel links to a new one', async () => {
  const sdk = creditsSdk();
  sdk.api.fail(at.operations.retryParkedCredit, problem(403, 'Please sign in again', 'sign-in-too-old'));
  await retry(sdk);
  expect(within(screen.getByTestId('confirm')).getByRole('link', { name: 'Sign in again' })).toBeDefined();
});

test('missing services are named, "Nothing is waiting" needs all of them, and the next page uses the cursor', async () => {
  const sdk = creditsSdk();
  const nextCursor = `1795000000000-${CREDITS[0]?.key}`;
  sdk.api.on(at.operations.parkedCredits, ({ query }) =>
    query?.cursor
      ? { credits: [], nextCursor: null, missing: ['tasks', 'rewards'] }
      : { credits: [...CREDITS], nextCursor, missing: [] },
  );
  const { user } = await openRoom(sdk);
  await user.click(screen.getByRole('button', { name: 'Next credits' }));
  expect(sdk.api.callsOf(at.operations.parkedCredits).map(({ query }) => query)).toEqual([
    { limit: '25' },
    { limit: '25', cursor: nextCursor },
  ]);
  expect(screen.getByText('tasks, rewards did not respond. Credits there are missing from this list.')).toBeDefined();
  expect(screen.queryByText('Nothing is waiting')).toBeNull();
  sdk.api.on(at.operations.parkedCredits, { credits: [], nextCursor: null, missing: [] });
  await settle(15_000);
  expect(screen.getByText('Nothing is waiting')).toBeDefined();
});
