import { at, problem, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sampleRefund } from '../refunds/refunds.fixtures';
import { panel, testsOfView } from '../room/testing';
import { HARBOUR_ID, sampleAccount, sampleNetwork, usersSdk } from './users.fixtures';
import { account, buttons, openUsers } from './users.stage';

testsOfView('users');

test('Esc closes the panel of an act first, then the account', async () => {
  const { user, sdk } = await openUsers(usersSdk(HARBOUR_ID));
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

test('C clears and M marks, each after a panel that shows the changes and requires a reason', async () => {
  const { user, sdk } = await openUsers(usersSdk(HARBOUR_ID));
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

test('a payment without an order is recorded by its signature for the account that reports it', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  const transactionHash = '4'.repeat(88);
  sdk.api.on(at.rewards.recordRefund, sampleRefund(1, { transactionHash }));
  const { user } = await openUsers(sdk);
  await user.click(account().getByRole('button', { name: 'Record a payment' }));
  await user.paste(` ${transactionHash} `);
  expect(panel().getByText(transactionHash)).toBeDefined();
  await user.type(panel().getByLabelText('Reason, recorded in Audit'), 'Paid from an exchange{Enter}');
  expect(sdk.api.callsOf(at.rewards.recordRefund).map(({ body }) => body)).toEqual([
    { userId: HARBOUR_ID, transactionHash, note: 'Paid from an exchange' },
  ]);
  expect(sdk.shown.at(-1)?.title).toBe('Recorded. It waits under Refunds.');
});

test('the acts offered follow the account’s state; an act on rights with an old sign-in links to a new one', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api
    .on(at.support.userDetail, sampleAccount({ isAdmin: true }))
    .on(at.admin.network, sampleNetwork({ cleared: true, addresses: [] }))
    .fail(at.support.changeUser, problem(403, 'Please sign in again', 'sign-in-too-old'));
  const { user } = await openUsers(sdk);
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

test('each act shows its changes and notes; operators cannot change their own role, sessions or balance', async () => {
  const panels = async (sdk: TestSdk) => {
    const { user } = await openUsers(sdk);
    const seen = [];
    for (const name of buttons().slice(1, 7)) {
      const button = account().getByRole('button', { name: name?.replace(/[CM]$/, '') });
      await user.click(button);
      seen.push(screen.getByTestId('confirm').textContent);
      await user.keyboard('{Escape}');
      expect(document.activeElement).toBe(button);
    }
    return seen;
  };
  expect(await panels(usersSdk(HARBOUR_ID))).toEqual([
    'Clear network penaltyEscLevelbefore: Level 2, ×0.5after: Clean, ×1Ratebefore: 2.750000after: 5.500000In effect until90 days from now, or an operator undoes itValid for 90 days, even if others mine at the address. Then the network check decides again.Reason, recorded in AuditClear penaltyEnter a reason of at least three characters.Cancel',
    'Mark address as sharedEscAccounts that count there4Levelbefore: Level 2, ×0.5after: Clean, ×1Ratebefore: 2.750000after: 5.500000In effect untilan operator undoes itReason, recorded in AuditMark as sharedEnter a reason of at least three characters.Cancel',
    'Correct the balanceEscAnother operator has to confirm it. The user sees the amount and this reason in the ledger.Amount in CORDUse a minus sign to deduct it.Reason, recorded in AuditPropose correctionA number other than 0, at most 1,000,000, with at most 6 decimals and without thousands separators.Cancel',
    'Record a paymentEscFor a payment that names no order, as from an exchange. It is looked up on the chain and goes back to the wallet it came from.TransactionIts signature, as the wallet or an explorer shows it.Reason, recorded in AuditRecord paymentA signature has 86 to 88 letters and digits, without spaces.Cancel',
    'End all sessionsEscSessionsall endedThe account stays. Its owner has to sign in again. This cannot be undone.Reason, recorded in AuditEnd sessionsEnter a reason of at least three characters.Cancel',
    'Make an operatorEscRolebefore: Userafter: OperatorTakes effect everywhere within a second. It can be undone in Audit.Reason, recorded in AuditMake an operatorEnter a reason of at least three characters.Cancel',
  ]);
  cleanup();
  const others = usersSdk(HARBOUR_ID);
  const addresses = sampleNetwork().addresses.map((one) => ({ ...one, shared: true }));
  others.api
    .on(at.support.userDetail, sampleAccount({ isAdmin: true }))
    .on(at.admin.network, sampleNetwork({ cleared: true, addresses }));
  expect(await panels(others)).toEqual([
    'Resume network checkEscLevelbefore: Level 2, ×0.5after: set by the network checkReason, recorded in AuditResume checkEnter a reason of at least three characters.Cancel',
    'Mark address as not sharedEscAddressbefore: shared, ×1after: counted by its accountsReason, recorded in AuditMark as not sharedEnter a reason of at least three characters.Cancel',
    'Correct the balanceEscAnother operator has to confirm it. The user sees the amount and this reason in the ledger.Amount in CORDUse a minus sign to deduct it.Reason, recorded in AuditPropose correctionA number other than 0, at most 1,000,000, with at most 6 decimals and without thousands separators.Cancel',
    'Record a paymentEscFor a payment that names no order, as from an exchange. It is looked up on the chain and goes back to the wallet it came from.TransactionIts signature, as the wallet or an explorer shows it.Reason, recorded in AuditRecord paymentA signature has 86 to 88 letters and digits, without spaces.Cancel',
    'End all sessionsEscSessionsall endedThe account stays. Its owner has to sign in again. This cannot be undone.Reason, recorded in AuditEnd sessionsEnter a reason of at least three characters.Cancel',
    'Remove operator roleEscRolebefore: Operatorafter: UserTakes effect everywhere within a second. It can be undone in Audit.Reason, recorded in AuditRemove roleEnter a reason of at least three characters.Cancel',
  ]);
  cleanup();
  const { id } = sampleUser();
  const own = usersSdk(id);
  own.api
    .on(at.support.userDetail, sampleAccount({ id, isAdmin: true }))
    .on(at.admin.network, sampleNetwork({ addresses: addresses.map((one) => ({ ...one, shared: false, users: 1 })) }));
  const { user } = await openUsers(own);
  expect(buttons().slice(1, 4)).toEqual(['Clear network penaltyC', 'Record a payment', 'Older entries']);
  await user.keyboard('m');
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('an act opened on one account does not open on the next one', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api.on(at.support.userDetail, ({ params }) => sampleAccount({ id: params?.id, username: 'other' }));
  const { user } = await openUsers(sdk);
  await user.click(account().getByRole('button', { name: 'End all sessions' }));
  expect(screen.getByTestId('confirm')).toBeDefined();
  await user.type(screen.getByRole('searchbox'), 'harbourl');
  await settle(400);
  await user.click(screen.getByRole('link', { name: /harbourlight/ }));
  expect(sdk.tabs.params.get().admin?.user).toBe('b'.repeat(32));
  expect(account().getByRole('button', { name: 'End all sessions' })).toBeDefined();
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('a late response closes its own panel, not that of an act opened since', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  const ended = sdk.api.hold(at.admin.endSessions);
  const { user } = await openUsers(sdk);
  await user.click(account().getByRole('button', { name: 'End all sessions' }));
  await user.keyboard('Lost phone{Enter}');
  await user.click(account().getByRole('button', { name: 'Correct the balance' }));
  await user.type(panel().getByLabelText('Reason, recorded in Audit'), 'A lost check-in');
  ended.answer({ ended: 2 });
  await settle();
  expect(sdk.shown.at(-1)?.title).toBe('Done. 2 sessions ended.');
  expect(panel().getByLabelText<HTMLInputElement>('Reason, recorded in Audit').value).toBe('A lost check-in');
});

test('a failure is shown in its panel, or as a toast once the panel is gone', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api.fail(at.admin.endSessions, problem(500, 'The sessions could not be ended'));
  const { user } = await openUsers(sdk);
  await user.click(account().getByRole('button', { name: 'End all sessions' }));
  await user.keyboard('Lost phone{Enter}');
  expect(panel().getByText('The sessions could not be ended')).toBeDefined();
  expect(sdk.shown).toEqual([]);
  const ended = sdk.api.hold(at.admin.endSessions);
  await user.keyboard('{Enter}');
  // While it is under way it is neither sent again nor left.
  await user.keyboard('{Enter}{Escape}');
  expect(screen.getByTestId('confirm')).toBeDefined();
  expect(sdk.api.callsOf(at.admin.endSessions)).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Overview' }));
  ended.fail(problem(500, 'The sessions could not be ended'));
  await settle();
  expect(sdk.shown).toMatchObject([
    { kind: 'error', title: 'An act was not done', text: 'The sessions could not be ended' },
  ]);
});
