import { cardLanguage } from '@cord/contracts/drawing/card';
import { at, offline, problem, sampleUser, type TestSdk } from '@cord/sdk/testing';
import { cleanup, renderWithSdk, settled } from '@cord/sdk/testing/render';
import { expectWhys } from '@cord/ui/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { referrals as german } from './languages/de.json';
import { ReferralPanel } from './referral-panel';
import { referralsSdk, UNREFERRED } from './referrals.fixtures';
import { ReferralsPage } from './referrals-page';
import { shareAddress } from './share-buttons';

const { process, stats } = at.referrals;

async function show(sdk: TestSdk, what = <ReferralsPage />) {
  const view = renderWithSdk(what, sdk);
  await settled(sdk);
  return view;
}

const unreferred = () => referralsSdk({ referredBy: null }, { user: UNREFERRED });

async function enter(code: string, prepare: (sdk: TestSdk) => void = () => undefined) {
  const sdk = unreferred();
  prepare(sdk);
  const { user, container } = await show(sdk, <ReferralPanel />);
  // The region exists before its text; otherwise some screen readers stay silent.
  const region = container.querySelector('[role=status]');
  await user.type(screen.getByRole('textbox', { name: 'Referral code' }), code);
  await user.click(screen.getByRole('button', { name: /Submit code/ }));
  await settled(sdk);
  return Object.assign(sdk, { region });
}

test('the page shows friends, earnings and the commission', async () => {
  await show(referralsSdk());
  const cell = (label: string) => screen.getByText(label, { selector: 'dt span' }).closest('div')?.textContent;
  expect(cell('Friends joined')).toBe('Friends joined6');
  expect(cell('Total earnings')).toBe('Total earnings1,398.55');
  expect(cell('Commission')).toBe('Commission10%for life');
});

test('a typed code is restored after a reload', async () => {
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Referral code' });
  const { user } = await show(unreferred(), <ReferralPanel />);
  await user.type(field(), 'k7m2');
  cleanup();
  await show(unreferred(), <ReferralPanel />);
  expect(field().value).toBe('k7m2');
});

test('a code can be edited in the middle: case and caret stay until it is submitted', async () => {
  const sdk = unreferred();
  const { user } = await show(sdk, <ReferralPanel />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Referral code' });
  await user.type(field, 'oln7e');
  field.setSelectionRange(2, 2);
  await user.type(field, 'dla', { initialSelectionStart: 2, initialSelectionEnd: 2 });
  expect([field.value, field.selectionStart]).toEqual(['oldlan7e', 5]);
  await user.click(screen.getByRole('button', { name: 'Submit code' }));
  await settled(sdk);
  expect(sdk.api.callsOf(at.referrals.process).map(({ body }) => body)).toEqual([
    expect.objectContaining({ referralCode: 'OLDLAN7E' }),
  ]);
});

test('Copy Link copies the link with the code, and confirms it', async () => {
  const { user } = await show(referralsSdk());
  await user.click(screen.getByRole('button', { name: 'Copy Link' }));
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/?ref=K7M2QX9D`);
  expect(screen.getByRole('button', { name: 'Copied' })).toBeDefined();
});

test('the share buttons lead to the providers’ own pages with the link', async () => {
  await show(referralsSdk());
  const link = encodeURIComponent(`${location.origin}/?ref=K7M2QX9D`);
  for (const [name, host] of [
    ['Twitter', 'twitter.com'],
    ['Telegram', 't.me'],
    ['WhatsApp', 'wa.me'],
  ] as const) {
    const href = screen.getByRole('link', { name: new RegExp(`^${name}`) }).getAttribute('href') ?? '';
    expect(new URL(href).host).toBe(host);
    expect(href).toContain(link);
  }
  expect(screen.getByRole('button', { name: 'Discord' })).toBeDefined();
});

test('the card of the link loads on request, in reserved space', async () => {
  const { user } = await show(referralsSdk());
  const card = () => screen.queryByRole('img', { name: /^The card .* K7M2QX9D/ });
  document.documentElement.dataset.theme = 'light';
  expect(card()).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show the card' }));
  const shown = ['src', 'width', 'height', 'loading'].map((name) => card()?.getAttribute(name));
  expect(shown).toEqual(['/share/K7M2QX9D.png', '1200', '630', 'lazy']);
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/share/K7M2QX9D.png');
  delete document.documentElement.dataset.theme;
  await user.click(screen.getByRole('button', { name: 'Hide the card' }));
  expect(card()).toBeNull();
  expect(cardLanguage(german.cardLanguage)).toBe('de');
});

test('the QR code of the link opens on request', async () => {
  const { user } = await show(referralsSdk());
  await user.click(screen.getByRole('button', { name: 'Show QR code' }));
  expect(await screen.findByRole('img', { name: `QR code of ${location.origin}/?ref=K7M2QX9D` })).toBeDefined();
});

test('the history shows the state of each friend’s bonus', async () => {
  await show(referralsSdk());
  const table = within(screen.getByRole('table', { name: 'Referral history' }));
  const rows = table.getAllByRole('row').slice(1);
  const line = (name: string) => rows.find((row) => row.textContent?.includes(name))?.textContent;
  expect(line('moss_and_tin')).toContain('86 CORD paid');
  expect(line('moss_and_tin')).toContain('+412.80');
  expect(line('pavel.k')).toContain('On hold, shared network');
  expect(line('harrow')).toContain('No bonus');
  expect(line('kestrel.io')).toContain('6 of 10 min');
});

test('if not all friends are listed, the history shows the total, and waiting bonuses are a minimum', async () => {
  const sdk = referralsSdk({ totalReferrals: 1_234 });
  await show(sdk);
  expect(screen.getByText('1,234 friends')).toBeDefined();
  expect(screen.getByText('The newest 6 of 1,234')).toBeDefined();
  cleanup();
  await show(sdk, <ReferralPanel />);
  expect(screen.getByText('Waiting for 10 minutes of mining').nextElementSibling?.textContent).toBe('at least 1');
  cleanup();
  await show(referralsSdk());
  expect(screen.getByText('6 friends')).toBeDefined();
  expect(screen.queryByText(/^The newest/)).toBeNull();
  cleanup();
  await show(referralsSdk(), <ReferralPanel />);
  expect(screen.getByText('Waiting for 10 minutes of mining').nextElementSibling?.textContent).toBe('1');
});

test('without friends the history offers the link, and announces that it is copied', async () => {
  const { user } = await show(referralsSdk({ referralHistory: [], totalReferrals: 0 }));
  const card = within(screen.getByText('No friends yet').closest('section') as HTMLElement);
  expect(card.getByRole('status').textContent).toBe('');
  await user.click(card.getByRole('button', { name: 'Copy Link' }));
  await waitFor(() => expect(card.getByRole('status').textContent).toBe('Copied'));
});

test.each([
  ['the page', <ReferralsPage key="page" />],
  ['the panel', <ReferralPanel key="panel" />],
])('%s shows why it could not be loaded, and Retry loads it', async (_name, what) => {
  const sdk = referralsSdk();
  sdk.api.fail(stats, problem(500, 'Failed to fetch referral stats'));
  const { user } = await show(sdk, what);
  expect(screen.getByText('Referrals could not be loaded')).toBeDefined();
  expect(screen.getByText('Error loading referral data: Failed to fetch referral stats')).toBeDefined();
  sdk.api.on(stats, () => ({ ...referralsStats(), totalReferrals: 3 }));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await settled(sdk);
  expect(screen.queryByTestId('error-panel')).toBeNull();
});

function referralsStats() {
  return {
    referralCode: 'K7M2QX9D',
    totalReferrals: 0,
    totalEarnings: 0,
    heldEarnings: 0,
    referredBy: null,
    pendingCode: null,
    referralHistory: [],
  };
}

test('a referred user sees the referrer, and no field for a code', async () => {
  await show(referralsSdk(), <ReferralPanel />);
  expect(screen.getByText('old_lantern')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Referral code' })).toBeNull();
  expect(screen.getByText('6 friends joined. You earn 10% of what they make, for life.')).toBeDefined();
});

test('a user without a referrer has a field for a code, and sees their own code', async () => {
  await show(unreferred(), <ReferralPanel />);
  expect(screen.getByText('Have a friend’s code?')).toBeDefined();
  expect(screen.getByRole('textbox', { name: 'Your referral code' })).toHaveProperty('value', 'K7M2QX9D');
});

test('while no code exists, a text announces it', async () => {
  const user = sampleUser({ referred_by: null, referralCode: null });
  await show(referralsSdk({ referralCode: '', referredBy: null }, { user }), <ReferralPanel />);
  expect(screen.getByText('Referral codes will be available soon.')).toBeDefined();
});

test('a blank code cannot be submitted', async () => {
  const sdk = unreferred();
  const { user } = await show(sdk, <ReferralPanel />);
  const button = screen.getByRole('button', { name: /Submit code/ });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.type(screen.getByRole('textbox', { name: 'Referral code' }), '   ');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  expect(sdk.api.callsOf(process)).toHaveLength(0);
});

test('a code is trimmed, upper-cased and sent once with an idempotency key, and the referrer is stored', async () => {
  const sdk = await enter('oldlan7e');
  const [call] = sdk.api.callsOf(process);
  expect(call?.body).toEqual({ userId: sampleUser().id, referralCode: 'OLDLAN7E' });
  expect(call?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  expect(sdk.session.state.get().user?.referred_by).toBe('old_lantern');
});

test.each([
  [
    'pending' as const,
    'Success! You received 87.50 CORD. Your referrer receives 86 CORD when your node has run for 10 minutes.',
  ],
  ['credited' as const, 'Success! You received 87.50 CORD and your referrer received 86 CORD.'],
])('the success text of a code whose referrer’s bonus is %s', async (referrerStatus, text) => {
  const { region } = await enter('OLDLAN7E', ({ api }) => {
    api.on(process, {
      success: true,
      updatedUser: { id: sampleUser().id, referred_by: 'old_lantern' },
      referredBonus: 87.5,
      referrerBonus: 86,
      referrerStatus,
      pending: false,
    });
  });
  expect(screen.getByText(text).parentElement).toBe(region);
  expect(screen.getByText('old_lantern')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Referral code' })).toBeNull();
});

test.each([
  ['the own code', 'K7M2QX9D', null, 'You cannot refer yourself. Please use a different referral code.'],
  ['a code of a wrong form', 'ABC', null, 'Invalid user ID or referral code'],
  [
    'a refusal of the server',
    'OLDLAN7E',
    problem(422, 'This would make a circle of referrals.'),
    'This would make a circle of referrals.',
  ],
  ['no answer', 'OLDLAN7E', offline(), 'Failed to process referral. Please try again.'],
  [
    'a broken server',
    'OLDLAN7E',
    problem(500, 'Failed to process referral'),
    'Failed to process referral. Please try again.',
  ],
])('the text for %s', async (_name, code, error, text) => {
  const sdk = await enter(code, ({ api }) => {
    if (error) api.fail(process, error);
  });
  expect(screen.getByText(text)).toBeDefined();
  // One code uses one key, however often it is tried.
  const keys = new Set(sdk.api.callsOf(process).map(({ idempotencyKey }) => idempotencyKey));
  expect(keys.size).toBe(error ? 1 : 0);
});

test('while a code is submitted, the button is disabled', async () => {
  const sdk = await enter('OLDLAN7E', ({ api }) => void api.hang(process));
  const button = screen.getByRole('button', { name: 'Submitting...' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  button.click();
  expect(sdk.api.callsOf(process)).toHaveLength(1);
});

test('a refused code from the sign-in is shown with its reason', async () => {
  await show(
    referralsSdk({ pendingCode: { code: 'OLDLAN7E', status: 'refused', reason: 'it is your own.', why: null } }),
  );
  expect(screen.getByText('Code OLDLAN7E was not accepted: it is your own.')).toBeDefined();
});

test('the share links contain text and link, encoded', () => {
  const url = 'https://cord.example/?ref=K7M2QX9D';
  for (const provider of ['twitter', 'telegram', 'whatsapp'] as const) {
    const address = new URL(shareAddress(provider, url, 'Mine & earn'));
    expect([...address.searchParams.values()].join(' ')).toContain(url);
    expect([...address.searchParams.values()].join(' ')).toContain('Mine & earn');
  }
});

test('the entries behind the earnings are commission and referrer bonuses, not the user’s own bonus for a code', async () => {
  const sdk = referralsSdk();
  sdk.ledger.Entries = ({ sources }) => `Entries of ${sources?.join(' and ')}`;
  const { user } = await show(sdk);
  await user.click(await screen.findByRole('button', { name: 'Why this number? Total earnings' }));
  expect(await screen.findByText(/Entries of commission and refwelcome$/)).toBeDefined();
});

test('each number is explained with its formula and inputs', async () => {
  const { user } = await show(referralsSdk());
  await expectWhys(user, [
    [
      'Total earnings',
      /10% of what your friends earned.*86 CORD for each.*Friends joined6On hold, not included[\d.,]+/,
    ],
  ]);
});
