import { at, problem, type TestSdk } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sampleRefund } from '../refunds/refunds.fixtures';
import { openRoom, testsOfView } from '../room/testing';
import { ENTRIES, HARBOUR_ID, sampleAccount, sampleNetwork, USERS, usersSdk } from './users.fixtures';

testsOfView('users');

async function open(sdk: TestSdk) {
  const view = await openRoom(sdk);
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  await settle();
  return view;
}

const account = () => within(screen.getByTestId('account'));
const panel = () => within(screen.getByTestId('confirm'));
const buttons = () =>
  account()
    .getAllByRole('button')
    .map((button) => button.textContent);

test('accounts are searched by the server; keys go through the rows, and a row leads to its account', async () => {
  const { user, sdk } = await open(usersSdk());
  expect(screen.getAllByRole('row')).toHaveLength(4);
  await user.keyboard('/');
  await user.keyboard('harb');
  await settle(400);
  expect(sdk.api.callsOf(at.admin.users).at(-1)?.query).toEqual({ limit: '25', search: 'harb' });
  expect(screen.getByText('2 found')).toBeDefined();
  const [, first, second] = screen.getAllByRole('row');
  expect(first?.textContent).toContain('Level 2, ×0.5');
  expect(second?.textContent).toContain('Never checked');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('jjjk');
  expect(document.activeElement?.textContent).toBe('harbour_77');
  await user.keyboard('{Enter}');
  expect(sdk.tabs.params.get().admin?.user).toBe(HARBOUR_ID);
  expect(document.activeElement).toBe(screen.getByTestId('account'));
  await user.type(screen.getByRole('searchbox'), 'our');
  await settle(400);
  expect(sdk.tabs.params.get().admin).toMatchObject({ name: 'harbour' });
  expect(sdk.tabs.params.get().admin?.user).toBeUndefined();
});

test('how many were found is shown on the first page alone, whose number it is', async () => {
  const sdk = usersSdk();
  sdk.api.on(at.admin.users, ({ query }) => ({
    users: USERS.slice(0, query?.cursor ? 1 : 2),
    nextCursor: query?.cursor ? null : '2',
  }));
  const { user } = await open(sdk);
  await user.type(screen.getByRole('searchbox'), 'harb');
  await settle(400);
  expect(screen.getByText('2 or more')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Next accounts' }));
  expect(screen.getAllByRole('row')).toHaveLength(2);
  expect(screen.queryByText(/found|or more/)).toBeNull();
});

test('Esc closes the panel of an act first, then the account', async () => {
  const { user, sdk } = await open(usersSdk(HARBOUR_ID));
  await user.keyboard('c');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('confirm')).toBeNull();
  expect(sdk.tabs.params.get().admin?.user).toBe(HARBOUR_ID);
  // The focus is back where it was before the panel, or on nothing.
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('{Escape}');
  expect(sdk.tabs.params.get().admin?.user).toBeUndefined();
});

test('an account shows when its user joined beside its name, and not under its friends', async () => {
  await open(usersSdk(HARBOUR_ID));
  expect(account().getByText('Joined 3 Oct 2026').closest('div')?.textContent).toContain('harbour_77');
  expect(account().getByText('Friends').closest('div')?.textContent).not.toContain('Joined');
});

test('the ledger of an account shows each amount, and the balance after it, to the micro-CORD', async () => {
  const amounts = [
    { amount: 0.000001, balance: 88_377.770001 },
    { amount: -1_234.5, balance: 87_143.27 },
  ];
  const entries = amounts.map((amount, n) => ({ ...ENTRIES[n], ...amount }) as (typeof ENTRIES)[number]);
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api.on(at.admin.ledger, { entries, open: 0, count: 2, nextCursor: null });
  await open(sdk);
  const [, ...rows] = within(account().getByRole('table', { name: 'Ledger' })).getAllByRole('row');
  const numbers = rows.map((row) => within(row).getAllByRole('cell').slice(-2));
  expect(numbers.map((cells) => cells.map(({ textContent }) => textContent))).toEqual([
    ['+0.000001', '88,377.770001'],
    ['-1,234.50', '87,143.27'],
  ]);
});

test('an account shows its ledger page by page, its network record, its sign-ins and its cases', async () => {
  const { user, sdk } = await open(usersSdk(HARBOUR_ID));
  const rows = () => within(account().getByRole('table', { name: 'Ledger' })).getAllByRole('row');
  expect(rows()).toHaveLength(9);
  expect(rows()[1]?.textContent).toContain('mining:…:1246');
  expect(account().getByText(/^Open now: 33.00 CORD/)).toBeDefined();
  await user.click(account().getByRole('button', { name: 'Older entries' }));
  expect(sdk.api.callsOf(at.admin.ledger).at(-1)?.query).toEqual({ limit: '25', cursor: '1239' });
  expect(rows()).toHaveLength(5);
  expect(account().getByText('1,246 entries')).toBeDefined();
  await user.click(account().getByRole('radio', { name: 'task' }));
  expect(sdk.api.callsOf(at.admin.ledger).at(-1)?.query).toEqual({ limit: '25', source: 'task' });
  expect(rows().map((row) => /(mining|task):…/.exec(row.textContent ?? '')?.[1])).toEqual([undefined, 'task', 'task']);
  expect(account().getByText('2 entries')).toBeDefined();
  // So many were looked through: none of it here, and the way on.
  sdk.api.on(at.admin.ledger, { entries: [], open: 33, count: 1, nextCursor: '1138' });
  await user.click(account().getByRole('radio', { name: 'commission' }));
  expect(account().getByText('None from commission here')).toBeDefined();
  await user.click(account().getByRole('button', { name: 'Older entries' }));
  expect(sdk.api.callsOf(at.admin.ledger).at(-1)?.query).toEqual({ limit: '25', source: 'commission', cursor: '1138' });
  const record = within(account().getByRole('table', { name: 'Network record' })).getAllByRole('row');
  expect(record[1]?.textContent).toBe('8ae1…04f24212 hnow');
  await user.click(account().getByRole('radio', { name: 'Sign-ins' }));
  expect(account().getByText('Safari on iOS')).toBeDefined();
  await user.click(account().getByRole('radio', { name: 'Support' }));
  const filed = account().getByRole('link', { name: 'We are a family of four, one router' });
  expect(filed.getAttribute('href')).toContain('view=support&case=');
});

test('an account shows when its node ran, what it ordered and what it may claim once', async () => {
  const { user, sdk } = await open(usersSdk(HARBOUR_ID));
  const choose = async (name: string) => {
    await user.click(account().getByRole('radio', { name }));
    return within(account().getByRole('table', { name })).getAllByRole('row').slice(1);
  };
  const texts = (rows: HTMLElement[]) => rows.map(({ textContent }) => textContent);
  expect(texts(await choose('Mining sessions')).map((row) => /Running|Paused|Stopped/.exec(row ?? '')?.[0])).toEqual([
    'Running',
    'Paused',
    'Stopped',
  ]);
  await user.click(account().getByRole('button', { name: 'Older sessions' }));
  expect(sdk.api.callsOf(at.admin.mining).at(-1)?.query).toEqual({ limit: '25', cursor: '1764230400000' });
  const orders = texts(await choose('Orders'));
  expect(orders[1]).toContain('Refund0.02 SOL to refund7xKX…gAsU5hQ2…x9Ke0.02 SOL');
  const [made, badge] = texts(await choose('Claims'));
  expect(made).toMatch(/^CompensationClaimed.*5,000\.00$/);
  expect(badge).toBe('Badge holders’ CORDNeeds the badge–10,000.00');
});

test('C clears and M marks, each after a panel that shows what changes and requires a reason', async () => {
  const { user, sdk } = await open(usersSdk(HARBOUR_ID));
  await user.keyboard('c');
  expect(document.activeElement).toBe(panel().getByLabelText('Reason, recorded in Audit'));
  expect(panel().getByText('Rate').nextElementSibling?.textContent).toBe('before: 2.750000after: 5.500000');
  const until = () => panel().getByText('In effect until').nextElementSibling?.textContent;
  expect(until()).toBe('90 days from now, or an operator undoes it');
  await user.keyboard('Household of four{Enter}');
  expect(sdk.api.callsOf(at.support.changeUser).map(({ body }) => body)).toEqual([
    { cleared: true, reason: 'Household of four' },
  ]);
  expect(screen.queryByTestId('confirm')).toBeNull();
  expect(sdk.shown.at(-1)?.title).toBe('Done. It is recorded in Audit.');
  await user.keyboard('m');
  expect(until()).toBe('an operator undoes it');
  await user.keyboard('One router{Enter}');
  expect(sdk.api.callsOf(at.support.markAddress).map(({ body }) => body)).toEqual([
    { shared: true, reason: 'One router', about: HARBOUR_ID },
  ]);
});

test('a payment that names no order is recorded by its signature for the account that reports it', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  const transactionHash = '4'.repeat(88);
  sdk.api.on(at.rewards.recordRefund, sampleRefund(1, { transactionHash }));
  const { user } = await open(sdk);
  await user.click(account().getByRole('button', { name: 'Record a payment' }));
  await user.paste(` ${transactionHash} `);
  expect(panel().getByText(transactionHash)).toBeDefined();
  await user.type(panel().getByLabelText('Reason, recorded in Audit'), 'Paid from an exchange{Enter}');
  expect(sdk.api.callsOf(at.rewards.recordRefund).map(({ body }) => body)).toEqual([
    { userId: HARBOUR_ID, transactionHash, note: 'Paid from an exchange' },
  ]);
  expect(sdk.shown.at(-1)?.title).toBe('Recorded. It waits under Refunds.');
});

test('what is offered follows how it stands; an act on rights with an old sign-in leads to a new one', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api
    .on(at.support.userDetail, sampleAccount({ isAdmin: true }))
    .on(at.admin.network, sampleNetwork({ cleared: true, addresses: [] }))
    .fail(at.support.changeUser, problem(403, 'Please sign in again', 'sign-in-too-old'));
  const { user } = await open(sdk);
  expect(buttons().slice(1, 6)).toEqual([
    'Resume network checkC',
    'Correct the balance',
    'Record a payment',
    'End all sessions',
    'Remove operator role',
  ]);
  await user.click(account().getByRole('button', { name: 'Remove operator role' }));
  expect(sdk.tabs.params.get().admin?.act).toBe(`user ${HARBOUR_ID}`);
  await user.keyboard('Left us{Enter}');
  expect(panel().getByRole('link', { name: 'Sign in again' })).toBeDefined();
  await user.keyboard('{Escape}');
  await user.click(account().getByRole('button', { name: 'End all sessions' }));
  await user.keyboard('Lost phone{Enter}');
  expect(sdk.api.callsOf(at.admin.endSessions).map(({ body }) => body)).toEqual([{ reason: 'Lost phone' }]);
  expect(sdk.shown.at(-1)?.title).toBe('Done. 2 sessions ended.');
});

test('an act that was chosen on one account waits there: it does not open on the next one', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api.on(at.support.userDetail, ({ params }) => sampleAccount({ id: params?.id, username: 'other' }));
  const { user } = await open(sdk);
  await user.click(account().getByRole('button', { name: 'End all sessions' }));
  expect(screen.getByTestId('confirm')).toBeDefined();
  await user.type(screen.getByRole('searchbox'), 'harbourl');
  await settle(400);
  await user.click(screen.getByRole('link', { name: /harbourlight/ }));
  expect(sdk.tabs.params.get().admin?.user).toBe('b'.repeat(32));
  expect(account().getByRole('button', { name: 'End all sessions' })).toBeDefined();
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('an answer that comes late closes its own panel, and not that of an act that was opened meanwhile', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  const ended = sdk.api.hold(at.admin.endSessions);
  const { user } = await open(sdk);
  await user.click(account().getByRole('button', { name: 'End all sessions' }));
  await user.keyboard('Lost phone{Enter}');
  await user.click(account().getByRole('button', { name: 'Correct the balance' }));
  await user.type(panel().getByLabelText('Reason, recorded in Audit'), 'A lost check-in');
  ended.answer({ ended: 2 });
  await settle();
  expect(sdk.shown.at(-1)?.title).toBe('Done. 2 sessions ended.');
  expect(panel().getByLabelText<HTMLInputElement>('Reason, recorded in Audit').value).toBe('A lost check-in');
});

test('a failure that comes once its panel has gone is shown all the same, and in the panel it is shown there alone', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api.fail(at.admin.endSessions, problem(500, 'The sessions could not be ended'));
  const { user } = await open(sdk);
  await user.click(account().getByRole('button', { name: 'End all sessions' }));
  await user.keyboard('Lost phone{Enter}');
  expect(panel().getByText('The sessions could not be ended')).toBeDefined();
  expect(sdk.shown).toEqual([]);
  const ended = sdk.api.hold(at.admin.endSessions);
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: 'Overview' }));
  ended.fail(problem(500, 'The sessions could not be ended'));
  await settle();
  expect(sdk.shown).toMatchObject([
    { kind: 'error', title: 'An act was not done', text: 'The sessions could not be ended' },
  ]);
});

test('an account that is gone is shown as gone', async () => {
  await open(usersSdk('9'.repeat(32)));
  expect(account().getByText('This account is no longer here')).toBeDefined();
});
