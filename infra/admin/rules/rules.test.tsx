import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { at, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { cleanup } from '@cord/sdk/testing/render';
import { fireEvent, screen, within } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusal } from '../epochs/epochs.fixtures';
import { toField } from '../epochs/utc-field';
import { openRoom, testsOfView } from '../room/testing';
import { decimalOf, integerOf, signedIntegerOf } from '../room/typed-numbers';
import { readTyped, typedOf } from './numbers';
import { BOOKS, rulesSdk, sampleProposal } from './rules.fixtures';

testsOfView('rules');

const HOUR_MS = 3_600_000;
const confirm = () => within(screen.getByTestId('confirm'));
const card = (name: string) =>
  within(screen.getByRole('heading', { level: 2, name }).closest('section') as HTMLElement);
const form = () => within(screen.getByRole('form', { name: 'New rules' }));
const proposals = () => screen.getAllByTestId('proposal').map((row) => within(row));
const linesOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const fieldIn = (hours: number) => toField(new Date(SAMPLE_NOW_MS + hours * HOUR_MS).toISOString());

test('the view shows the numbers in force, announced changes, and proposals with proposer and reasons', async () => {
  await openRoom(rulesSdk());
  const facts = [...(card('In force').getByText('Base rate').closest('dl')?.children ?? [])];
  expect(facts.slice(0, 3).map(({ textContent }) => textContent)).toEqual([
    'Base rate0.500000 CORD/min',
    'Badge of Honor, multiplier×1.05',
    'Daily check-in48 CORD',
  ]);
  expect(facts.at(-1)?.textContent).toBe('Commission, for life10%');
  expect(card('In force').getByText(/^since 19 Nov(ember)? 2026, \d\d:\d\d UTC$/)).toBeDefined();
  const announced = screen.getByTestId('announced');
  expect(linesOf(announced)).toEqual(['Base rate: 0.500000 CORD/min before, 0.600000 CORD/min after']);
  expect(within(announced).getByText('Announced 21 Nov 2026, 10:03 UTC')).toBeDefined();
  expect(within(announced).getByText('Mining pays more for everybody')).toBeDefined();
  expect(within(announced).getByText('Short notice, because: The old rate pays too little by mistake')).toBeDefined();
  const [other, own] = screen.getAllByTestId('proposal');
  expect(linesOf(other!)).toEqual(['Streak bonus for each day: 5 CORD before, 4.5 CORD after']);
  expect(within(other!).getByText(/^Proposed .* by eeee/)).toBeDefined();
  expect(linesOf(own!)).toEqual([
    'Multiplier from 8 years: ×10 before, none after',
    'Multiplier from 10 years: none before, ×9 after',
  ]);
  expect(within(own!).getByText(/by you$/)).toBeDefined();
});

test('an operator confirms the proposal of another one, and can only withdraw their own', async () => {
  const sdk = rulesSdk();
  const { user } = await openRoom(sdk);
  const [other, own] = proposals();
  expect(own?.getByRole('button', { name: 'Confirm, from 26 Nov 2026, 11:03 UTC' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  expect(own?.getAllByText('Another operator has to confirm your proposal.').length).toBeGreaterThan(0);
  await user.click(other!.getByRole('button', { name: 'Confirm, from 25 Nov 2026, 11:03 UTC' }));
  expect(confirm().getByText('4.5 CORD')).toBeDefined();
  await user.paste('I have checked the numbers');
  await user.click(confirm().getByRole('button', { name: 'Confirm' }));
  expect(screen.getAllByTestId('announced')).toHaveLength(2);
  await user.click(proposals()[0]!.getByRole('button', { name: 'Withdraw, from 26 Nov 2026, 11:03 UTC' }));
  await user.paste('Too early');
  await user.click(confirm().getByRole('button', { name: 'Withdraw' }));
  expect(screen.queryByTestId('proposal')).toBeNull();
  expect(sdk.api.callsOf(at.rules.decide).map(({ params, body }) => [params, body])).toEqual([
    [{ id: sampleProposal(1).id }, { decision: 'confirm', reason: 'I have checked the numbers' }],
    [{ id: sampleProposal(2).id }, { decision: 'withdraw', reason: 'Too early' }],
  ]);
});

test('new rules are proposed with the differences from the last announced ones, by default four days ahead', async () => {
  const sdk = rulesSdk();
  const { user } = await openRoom(sdk);
  await user.click(screen.getByRole('button', { name: 'New rules' }));
  const base = form().getByLabelText('Base rate, CORD/min');
  expect((base as HTMLInputElement).value).toBe('0.6');
  const propose = () => form().getByRole('button', { name: 'Propose' });
  expect(propose().getAttribute('aria-disabled')).toBe('true');
  for (const wrong of ['', 'much', '-1', '10,000', '0.0000000001']) {
    fireEvent.change(base, { target: { value: wrong } });
    expect(form().getByText('Enter a number such as 0.5, without thousands separators.')).toBeDefined();
    expect(propose().getAttribute('aria-disabled')).toBe('true');
  }
  fireEvent.change(base, { target: { value: '0,65' } });
  const tiers = form().getByLabelText('Multipliers by account age');
  fireEvent.change(tiers, { target: { value: '0: 1; 5' } });
  expect(form().getByText('Enter years and multipliers such as 0: 1; 1: 1.2')).toBeDefined();
  fireEvent.change(tiers, { target: { value: '0: 1; 5: 3.25' } });
  await user.click(propose());
  expect(confirm().getByText('0.650000 CORD/min')).toBeDefined();
  expect(confirm().getByText('×3.25')).toBeDefined();
  await user.paste('Simpler multipliers');
  await user.click(confirm().getByRole('button', { name: 'Propose' }));
  const fourDays = Math.ceil((SAMPLE_NOW_MS + 96 * HOUR_MS) / HOUR_MS) * HOUR_MS;
  const changes = {
    baseNano: 650_000_000,
    tiers: [
      { fromYears: 0, hundredths: 100 },
      { fromYears: 5, hundredths: 325 },
    ],
  };
  expect(sdk.api.callsOf(at.rules.propose).map(({ body }) => body)).toEqual([
    { from: new Date(fourDays).toISOString(), changes, reason: 'Simpler multipliers' },
  ]);
  expect(screen.queryByRole('form', { name: 'New rules' })).toBeNull();
  expect(proposals()).toHaveLength(3);
});

test('the panel shows each changed number, however small the change', async () => {
  const sdk = rulesSdk();
  sdk.tabs.setParam('admin', 'rules', 'new');
  const { user } = await openRoom(sdk);
  fireEvent.change(form().getByLabelText('Base rate, CORD/min'), { target: { value: '0.600000001' } });
  fireEvent.change(form().getByLabelText('Daily check-in, CORD'), { target: { value: '48.000001' } });
  await user.click(form().getByRole('button', { name: 'Propose' }));
  for (const shown of ['0.600000 CORD/min', '0.600000001 CORD/min', '48 CORD', '48.000001 CORD'])
    expect(confirm().getByText(shown)).toBeDefined();
});

test('less than 72 hours ahead requires a second reason, which is sent too', async () => {
  const sdk = rulesSdk();
  sdk.tabs.setParam('admin', 'rules', 'new');
  const { user } = await openRoom(sdk);
  fireEvent.change(form().getByLabelText('Daily check-in, CORD'), { target: { value: '50' } });
  const from = form().getByLabelText('Takes effect, UTC');
  const sooner = 'Reason for the short notice, shown to users';
  expect(form().queryByLabelText(sooner)).toBeNull();
  fireEvent.change(from, { target: { value: fieldIn(30) } });
  const propose = form().getByRole('button', { name: 'Propose' });
  expect(propose.getAttribute('aria-disabled')).toBe('true');
  fireEvent.change(form().getByLabelText(sooner), { target: { value: 'Users lose CORD' } });
  await user.click(propose);
  expect(confirm().getByText('Users lose CORD')).toBeDefined();
  await user.paste('A mistake');
  await user.click(confirm().getByRole('button', { name: 'Propose' }));
  expect(sdk.api.callsOf(at.rules.propose)[0]?.body).toMatchObject({ sooner: 'Users lose CORD', reason: 'A mistake' });
});

test('an error of the server is shown at its field until that is changed, and the reason is kept', async () => {
  const sdk = rulesSdk();
  sdk.tabs.setParam('admin', 'rules', 'new');
  sdk.api.fail(at.rules.propose, refusal('changes.tiers', 'must begin at 0 years and rise'));
  const { user } = await openRoom(sdk);
  const tiers = form().getByLabelText('Multipliers by account age');
  fireEvent.change(tiers, { target: { value: '1: 1' } });
  await user.click(form().getByRole('button', { name: 'Propose' }));
  await user.paste('Simpler multipliers');
  await user.click(confirm().getByRole('button', { name: 'Propose' }));
  expect(screen.queryByTestId('confirm')).toBeNull();
  expect(form().getByText('must begin at 0 years and rise')).toBeDefined();
  expect(form().getByRole('button', { name: 'Propose' }).getAttribute('aria-disabled')).toBe('true');
  fireEvent.change(tiers, { target: { value: '0: 1' } });
  expect(form().queryByText('must begin at 0 years and rise')).toBeNull();
  await user.click(form().getByRole('button', { name: 'Propose' }));
  expect((confirm().getByLabelText('Reason, recorded in Audit') as HTMLInputElement).value).toBe('Simpler multipliers');
});

test('without changes a text is shown; a proposal starts after the last announced one; a general error stays in the panel', async () => {
  const sdk = rulesSdk();
  sdk.api.on(at.rules.proposals, { proposals: [] }).on(at.rules.rules, { books: BOOKS.slice(0, 1), epochs: [] });
  await openRoom(sdk);
  expect(screen.getByText('No change is proposed or announced.')).toBeDefined();
  expect(card('In force').getByText('since the start')).toBeDefined();
  cleanup();
  const late = rulesSdk();
  late.tabs.setParam('admin', 'rules', 'new');
  const books = BOOKS.map((book) => (book.version === 3 ? { ...book, fromMs: SAMPLE_NOW_MS + 240.5 * HOUR_MS } : book));
  late.api.on(at.rules.rules, { books, epochs: [] }).fail(at.rules.propose, refusal('reason', 'must be a sentence'));
  const { user } = await openRoom(late);
  expect(form().getByLabelText<HTMLInputElement>('Takes effect, UTC').value).toBe(
    toField(new Date(Math.ceil(SAMPLE_NOW_MS / HOUR_MS + 240.5) * HOUR_MS).toISOString()),
  );
  fireEvent.change(form().getByLabelText('Badge of Honor, multiplier'), { target: { value: '1.1' } });
  await user.click(form().getByRole('button', { name: 'Propose' }));
  await user.keyboard('Badges count more{Enter}');
  expect(confirm().getByText(/must be a sentence/)).toBeDefined();
});

test('a draft is restored after a reload, and unchanged fields are no change', async () => {
  const sdk = rulesSdk();
  sdk.tabs.setParam('admin', 'rules', 'new');
  const { unmount, user } = await openRoom(sdk);
  fireEvent.change(form().getByLabelText('Streak bonus, at most, CORD'), { target: { value: '90' } });
  unmount();
  await openRoom(sdk);
  const field = form().getByLabelText('Streak bonus, at most, CORD') as HTMLInputElement;
  expect(field.value).toBe('90');
  await user.click(form().getByRole('button', { name: 'Discard' }));
  expect(screen.queryByRole('form', { name: 'New rules' })).toBeNull();
  for (const book of [FIRST_BOOK, ...BOOKS]) expect(readTyped(typedOf(book), book)).toEqual({ changes: {}, wrong: [] });
});

test('every integer survives the conversion to a decimal and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), fc.constantFrom(6, 9), (value, decimals) => {
      expect(integerOf(decimalOf(value, decimals), decimals)).toBe(value);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (value) => {
      expect(integerOf(decimalOf(value, 2).replace('.', ','), 2)).toBe(value);
    }),
  );
});

test.each([
  ['10,000', null],
  ['1.000', null],
  ['1.234', null],
  ['-1,000', null],
  ['1,000,000', null],
  ['1.000,5', null],
  ['', null],
  ['-', null],
  ['1e3', null],
  ['--1', null],
  ['1000', 1_000_000_000],
  ['1.2340', 1_234_000],
  ['0,125', 125_000],
  [' +86,5 ', 86_500_000],
  ['−86.5', -86_500_000],
])('an amount typed as %j is read as %s micro-CORD; a possible thousands separator is invalid', (typed, micro) => {
  expect(signedIntegerOf(typed, 6)).toBe(micro);
});
