import { at, problem, SAMPLE_NOW_MS, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sampleRefund } from '../refunds/refunds.fixtures';
import { openRoom, testsOfView } from '../room/testing';
import { CLAIMS, ENTRIES, HARBOUR_ID, sampleAccount, sampleNetwork, USERS, usersSdk } from './users.fixtures';

testsOfView('users');

async function open(sdk: TestSdk) {
  const view = await openRoom(sdk);
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  await settle();
  return view;
}

const account = () => within(screen.getByTestId('account'));
const panel = () => within(screen.getByTestId('confirm'));
const text = ({ textContent }: Element) => textContent;
const buttons = () =>
  account()
    .getAllByRole('button')
    .map((button) => button.textContent);

test('accounts are searched by the server; keys go through the rows, and a row leads to its account', async () => {
  const { user, sdk } = await open(usersSdk());
  expect(screen.getAllByRole('row').map(text)).toEqual([
    'NameIDAgeJoinedLast sign-inNetwork',
    'harbour_776f1d…00009.1 y13 Aug 202621 Nov, 08:03Level 2, ×0.5',
    'harbourlightbbbb…bbbb9.1 y13 Aug 202621 Nov, 08:03Never checked',
    'ines.opsOperatorcccc…cccc9.1 y13 Aug 202621 Nov, 08:03Clean',
  ]);
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

test('an account shows its older mining sessions, and what it may claim once', async () => {
  const { user, sdk } = await open(usersSdk(HARBOUR_ID));
  await user.click(account().getByRole('radio', { name: 'Mining sessions' }));
  await user.click(account().getByRole('button', { name: 'Older sessions' }));
  expect(sdk.api.callsOf(at.admin.mining).at(-1)?.query).toEqual({ limit: '25', cursor: '1764230400000' });
  await user.click(account().getByRole('radio', { name: 'Claims' }));
  const [, made, badge] = within(account().getByRole('table', { name: 'Claims' }))
    .getAllByRole('row')
    .map(text);
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

test('each act shows what it changes and what is to be known of it; an operator keeps the own role, sessions and balance', async () => {
  const panels = async (sdk: TestSdk) => {
    const { user } = await open(sdk);
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
  const { user } = await open(own);
  expect(buttons().slice(1, 4)).toEqual(['Clear network penaltyC', 'Record a payment', 'Older entries']);
  await user.keyboard('m');
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('figures and the network record of an account, also of one of which less is known', async () => {
  const figures = () => [...account().getByText('Balance').closest('dl')!.children].map(text);
  const record = () =>
    [
      account().getByRole('heading', { level: 2, name: /^harbour_77/ }).textContent,
      ...account().getByRole('heading', { name: 'Network record' }).closest('section')!.querySelectorAll('tr, p'),
    ].map((each) => (typeof each === 'string' ? each : each?.textContent));
  await open(usersSdk(HARBOUR_ID));
  expect(account().getByText('Joined 3 Oct 2026').closest('div')?.textContent).toContain('harbour_77');
  expect([figures(), record()]).toEqual([
    [
      'Balance48,213.57entries, and 33.00 open',
      'Rate2.750000penalty ×0.5',
      'Rank#22all time',
      'Streak8checked in today',
      'Friends7',
      'Sessions2last 21 Nov, 11:03',
    ],
    [
      'harbour_77 MiningLevel 2',
      'AddressAccountsMinedLast',
      '8ae1…04f24212 hnow',
      '51c7…e90a13 h3 Nov',
      'Counted at 8ae1…04f2, where it mined most. Checked 10:55 UTC.',
    ],
  ]);
  cleanup();
  const sdk = usersSdk(HARBOUR_ID);
  const { anticheat } = sampleAccount();
  const ago = (minutes: number) => new Date(SAMPLE_NOW_MS - minutes * 60_000).toISOString();
  const addresses = sampleNetwork().addresses.map((one, n) => ({
    ...one,
    shared: true,
    counts: false,
    lastMinedAt: ago(14 + 2 * n),
  }));
  sdk.api.on(at.admin.network, sampleNetwork({ cleared: true, addresses })).on(at.support.userDetail, {
    ...sampleAccount({
      isAdmin: true,
      rank: null,
      is_node_active: false,
      join_date: undefined,
      streak: undefined,
      totalReferrals: 'many',
    }),
    anticheat: { ...anticheat, penaltyLevel: 0, efficiencyMultiplier: 1 },
  });
  await open(sdk);
  expect([figures(), record()]).toEqual([
    [
      'Balance48,213.57entries, and 33.00 open',
      'Rate2.750000no penalty',
      'Rank–all time',
      'Streak–today is open',
      'Friends–',
      'Sessions2last 21 Nov, 11:03',
    ],
    [
      'harbour_77 Operator',
      'AddressAccountsMinedLast',
      '8ae1…04f2Shared4212 hnow',
      '51c7…e90aShared13 h21 Nov',
      'This account has not mined at an address that counts. Checked 10:55 UTC. Cleared.',
    ],
  ]);
  expect(account().getByText(/^Joined/).textContent).toBe('Joined –');
});

test('each part of an account has its lines; operators alone are listed by the server', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  const [, badge] = CLAIMS;
  const [entry] = ENTRIES;
  sdk.api
    .on(at.admin.claims, {
      claims: [
        { ...badge!, claimedAt: '2026-11-21T09:00:00Z', pending: true },
        { ...badge!, kind: 'compensation', refusal: null },
      ],
    })
    .on(at.admin.ledger, {
      entries: [{ ...entry!, source: 'gift' }, ENTRIES[2]!],
      open: 0,
      count: 1,
      nextCursor: null,
    });
  const { user } = await open(sdk);
  const seen: Record<string, unknown> = {};
  for (const part of ['Ledger', 'Mining sessions', 'Orders', 'Claims', 'Support', 'Sign-ins', 'Audit']) {
    await user.click(account().getByRole('radio', { name: part }));
    await settle();
    const card = account().getByRole('region', { name: part });
    seen[part] = [...card.querySelectorAll('tr, li, p')].map(text);
  }
  expect(seen).toEqual({
    Audit: [
      'At, UTCWhoActionAfterWhyUndo',
      '21 Nov, 10:42:17ines.opsNetwork check resumedharbour_77set by the network checkUndoes an earlier action. It was the wrong accountUndo',
      '21 Nov, 10:21:17ines.opsRequest answered4c12answeredKind: appeal',
      '21 Nov, 10:00:17ines.opsNetwork penalty clearedharbour_77Clean, ×1Household of four, appeal 4c19Undone',
      '21 Nov, 09:39:17olekAddress marked as shared51f0…9bd3shared, ×1A student hallUndo',
      '21 Nov, 09:18:17olekAccount viewedharbour_77–Viewed: ledger',
      '21 Nov, 08:57:17systemMade an operatorolekoperatorBy: ADMIN_DISCORD_IDSUndo',
      '21 Nov, 08:36:17ines.opsEpoch changedgammamultiplier ×1.25, begins 27 Nov 2026, 02:25As announced',
      '21 Nov, 08:15:17ines.opsTask createdjoin-telegramJoin Telegram',
      '21 Nov, 07:54:17ines.opsBonus releasedolekreleasedTwo flats',
    ],
    Claims: [
      'ClaimStateClaimedAmount',
      'Badge holders’ CORDClaimed, not credited yet21 Nov, 09:0010,000.00',
      'CompensationCan be claimed–10,000.00',
      'One-time claims. Tasks, check-ins and referral bonuses are in the ledger.',
    ],
    Ledger: [
      'SeqAt, UTCSourceKeyAmountBalance after',
      '124621 Nov, 11:03:17giftmining:…:1246+165.0088,377.77',
      '124421 Nov, 09:43:17tasktask:…:1244+150.0088,097.77',
    ],
    'Mining sessions': [
      'Started, UTCEndedStateRateEfficiencyCredited',
      '20 Nov, 21:03–Running2.75000050%+433.50',
      '20 Nov, 10:0320 Nov, 13:03Paused2.75000050%+372.00',
      '19 Nov, 23:0320 Nov, 02:03Stopped2.75000050%+310.50',
    ],
    Orders: [
      'OrderOrdered, UTCStateWalletTransactionPrice',
      '1111…111121 Nov, 10:03Open7xKX…gAsU–0.02 SOL',
      '2222…222221 Nov, 09:03Refund0.02 SOL to refund7xKX…gAsU5hQ2…x9Ke0.02 SOL',
      '3333…333321 Nov, 08:03Expired7xKX…gAsU–0.02 SOL',
    ],
    'Sign-ins': [
      'DeviceSigned inLast seen',
      'Chrome on Windows21 Nov, 10:0321 Nov, 11:03',
      'Safari on iOS21 Nov, 02:0321 Nov, 10:03',
    ],
    Support: ['We are a family of four, one routerAppeal, Open, 21 Nov, 05:43'],
  });
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('radio', { name: 'Operators' }));
  await settle();
  expect(sdk.api.callsOf(at.admin.users).at(-1)?.query).toEqual({ limit: '25', role: 'admin' });
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

test.each([404, 400])('an account that is gone, or cannot be by its id, is shown as gone: %i', async (status) => {
  const sdk = usersSdk('9'.repeat(32));
  sdk.api.fail(at.support.userDetail, problem(status, 'No'));
  await open(sdk);
  expect(account().getByText('This account is no longer here')).toBeDefined();
});
