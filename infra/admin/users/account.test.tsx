import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { testsOfView, text } from '../room/testing';
import { CLAIMS, ENTRIES, HARBOUR_ID, sampleAccount, sampleNetwork, usersSdk } from './users.fixtures';
import { account, openUsers } from './users.stage';

testsOfView('users');

test('the ledger of an account shows amounts and balances to the micro-CORD', async () => {
  const amounts = [
    { amount: 0.000001, balance: 88_377.770001 },
    { amount: -1_234.5, balance: 87_143.27 },
  ];
  const entries = amounts.map((amount, n) => ({ ...ENTRIES[n], ...amount }) as (typeof ENTRIES)[number]);
  const sdk = usersSdk(HARBOUR_ID);
  sdk.api.on(at.admin.ledger, { entries, open: 0, count: 2, nextCursor: null });
  await openUsers(sdk);
  const [, ...rows] = within(account().getByRole('table', { name: 'Ledger' })).getAllByRole('row');
  const numbers = rows.map((row) => within(row).getAllByRole('cell').slice(-2));
  expect(numbers.map((cells) => cells.map(({ textContent }) => textContent))).toEqual([
    ['+0.000001', '88,377.770001'],
    ['-1,234.50', '87,143.27'],
  ]);
});

test('an account shows its ledger page by page, its network record, sign-ins and cases', async () => {
  const { user, sdk } = await openUsers(usersSdk(HARBOUR_ID));
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

test('an account shows its older mining sessions, and its one-time claims', async () => {
  const { user, sdk } = await openUsers(usersSdk(HARBOUR_ID));
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

test('figures and network record of an account are shown, with dashes for unknown values', async () => {
  const figures = () => [...account().getByText('Balance').closest('dl')!.children].map(text);
  const record = () =>
    [
      account().getByRole('heading', { level: 2, name: /^harbour_77/ }).textContent,
      ...account().getByRole('heading', { name: 'Network record' }).closest('section')!.querySelectorAll('tr, p'),
    ].map((each) => (typeof each === 'string' ? each : each?.textContent));
  await openUsers(usersSdk(HARBOUR_ID));
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
  await openUsers(sdk);
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

test('each part of an account shows its rows; the server filters operators', async () => {
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
  const { user } = await openUsers(sdk);
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

test.each([404, 400])('a deleted account, or one with an invalid id, is shown as such: %i', async (status) => {
  const sdk = usersSdk('9'.repeat(32));
  sdk.api.fail(at.support.userDetail, problem(status, 'No'));
  await openUsers(sdk);
  expect(account().getByText('This account is no longer here')).toBeDefined();
});
