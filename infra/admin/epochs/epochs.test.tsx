import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { changedOf, inverseOf, kindOf } from './act';
import { EPOCHS, epochsSdk, refusal, TASKS } from './epochs.fixtures';
import { taskChanges, wouldPay } from './task-changes';
import { TEXTS } from './texts';
import { fromField, toField } from './utc-field';

testsOfView('epochs');

const confirm = () => within(screen.getByTestId('confirm'));
const form = (name: string) => within(screen.getByRole('form', { name }));

test('a change of an epoch is reckoned by the server once typing pauses, made for a reason, and taken back by an act of its own', async () => {
  const { user, sdk } = await openRoom(epochsSdk());
  const gamma = form('Epoch Gamma');
  expect(gamma.getByText('No rate changes.', { exact: false })).toBeDefined();
  const before = sdk.api.callsOf(at.epochs.previewEpoch).length;
  const field = gamma.getByLabelText('Multiplier, at most 2 decimals');
  await user.clear(field);
  await user.paste('1.25');
  await settle(500);
  const calls = sdk.api.callsOf(at.epochs.previewEpoch);
  expect([calls.length, calls.at(-1)?.body]).toEqual([
    before + 1,
    { id: 'gamma', change: { rewardsMultiplier: 1.25 } },
  ]);
  expect(gamma.getByText(/The 219 nodes running now would mine .* CORD a day instead of/)).toBeDefined();
  const [, youngest] = within(screen.getByRole('table', { name: 'Effect on rates, CORD/min' })).getAllByRole('row');
  expect(youngest?.textContent).toBe('under 1 y310.55000.60000.6250');
  await user.click(gamma.getByRole('button', { name: 'Save epoch' }));
  // The field of the reason has the focus.
  await user.paste('More for Gamma');
  await user.click(confirm().getByRole('button', { name: 'Save' }));
  expect(sdk.api.callsOf(at.epochs.updateEpoch).at(-1)?.body).toEqual({
    rewardsMultiplier: 1.25,
    reason: 'More for Gamma',
  });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await user.click(confirm().getByRole('button', { name: 'Save' }));
  const undo = { rewardsMultiplier: 1.2, reason: 'Undo: More for Gamma' };
  expect(sdk.api.callsOf(at.epochs.updateEpoch).at(-1)?.body).toEqual(undo);
});

test.each(['Epoch Gamma', 'New epoch'])(
  'what was typed into %s waits over a new sign-in, once, and what was not typed is as it stands then',
  async (name) => {
    const open = async () => {
      const sdk = epochsSdk();
      if (name === 'New epoch') sdk.tabs.params.set({ admin: { view: 'epochs', epoch: 'new' } });
      const view = await openRoom(sdk);
      return { ...view, description: form(name).getByLabelText<HTMLInputElement>('Description, shown in the banner') };
    };
    const { user, sdk, description } = await open();
    const old = problem(403, 'Please sign in again', 'sign-in-too-old');
    sdk.api.fail(at.epochs.updateEpoch, old).fail(at.epochs.createEpoch, old);
    await user.clear(description);
    await user.paste('A fifth more.');
    await user.clear(form(name).getByLabelText('Name'));
    await user.paste('Epoch Zeta');
    await settle(500);
    await user.click(form(name).getByRole('button', { name: /^(Save|Create) epoch$/ }));
    await user.paste('As announced');
    await user.click(confirm().getByRole('button', { name: /^(Save|Create)$/ }));
    const link = confirm().getByRole('link', { name: 'Sign in again' });
    link.addEventListener('click', (event) => event.preventDefault());
    await user.click(link);
    cleanup();
    expect((await open()).description.value).toBe('A fifth more.');
    cleanup();
    expect((await open()).description.value).not.toBe('A fifth more.');
  },
);

test('the times of an epoch are read as all others are, whatever order the browser draws its fields in', async () => {
  await openRoom(epochsSdk());
  const begins = form('Epoch Gamma').getByLabelText('Begins, UTC');
  const hint = document.getElementById(begins.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toMatch(/^\d{1,2} [A-Z][a-z]+ 2026, \d\d:\d\d$/);
  fireEvent.change(begins, { target: { value: '2026-12-08T00:00' } });
  expect(hint?.textContent).toBe('8 Dec 2026, 00:00');
});

test('what the server refuses stands at its field, and nothing can be saved', async () => {
  const sdk = epochsSdk();
  const { user } = await openRoom(sdk);
  sdk.api.fail(at.epochs.previewEpoch, refusal('rewardsMultiplier', 'must be at most 100'));
  const gamma = form('Epoch Gamma');
  await user.type(gamma.getByLabelText('Multiplier, at most 2 decimals'), '9');
  await settle(500);
  expect(gamma.getByText('must be at most 100')).toBeDefined();
  await user.click(gamma.getByRole('button', { name: 'Save epoch' }));
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('a number that the field does not hold is named, and the form cannot be saved with the former one', async () => {
  const sdk = epochsSdk();
  const { user } = await openRoom(sdk);
  const gamma = form('Epoch Gamma');
  const multiplier = gamma.getByLabelText('Multiplier, at most 2 decimals');
  await user.type(gamma.getByLabelText('Name'), ' II');
  await user.clear(multiplier);
  await user.paste('1.x');
  expect(gamma.getByText('Enter a number, such as 1.25.')).toBeDefined();
  await user.click(gamma.getByRole('button', { name: 'Save epoch' }));
  expect(screen.queryByTestId('confirm')).toBeNull();
  await user.clear(multiplier);
  await user.paste('1.25');
  const description = gamma.getByLabelText('Description, shown in the banner');
  await user.clear(description);
  await user.paste('All mining pays 10% more.');
  expect(gamma.getByText('The description says 10%. This multiplier adds 25%.')).toBeDefined();
  await user.click(
    within(screen.getByRole('table', { name: 'Tasks' })).getByRole('button', { name: 'Edit mine-1-hour' }),
  );
  const goal = form('Edit mine-1-hour').getByLabelText('Goal');
  await user.clear(goal);
  await user.type(goal, '1.5');
  expect(form('Edit mine-1-hour').getByText('Enter a whole number from 1 to 1,000,000.')).toBeDefined();
  await user.click(form('Edit mine-1-hour').getByRole('button', { name: 'Save task' }));
  expect(screen.queryByTestId('confirm')).toBeNull();
});

test('a task shows what its claims would have paid, is changed field by field, and the check-in is not', async () => {
  const { user, sdk } = await openRoom(epochsSdk());
  const table = within(screen.getByRole('table', { name: 'Tasks' }));
  expect(table.queryByRole('button', { name: 'Edit daily-checkin' })).toBeNull();
  expect(table.getByText('50 + streak')).toBeDefined();
  await user.click(table.getByRole('button', { name: 'Edit mine-1-hour' }));
  const task = form('Edit mine-1-hour');
  const reward = task.getByLabelText('Base reward, CORD');
  for (const typed of ['0', '10,000', '1.000']) {
    await user.clear(reward);
    await user.paste(typed);
    expect(task.getByText('More than 0, at most 10,000, without thousands separators')).toBeDefined();
  }
  await user.click(task.getByRole('button', { name: 'Save task' }));
  expect(sdk.api.callsOf(at.tasks.update)).toEqual([]);
  await user.clear(reward);
  await user.paste('40');
  // 1,200 claims at ×1 and 1,004 at ×3.5: 40 x 4,714 against 35 x 4,714 in 7 days.
  expect(task.getByText(/those claims would be 188,560.00/)).toBeDefined();
  expect(task.getByText(/That is 3,367.14 CORD more a day/)).toBeDefined();
  await user.click(task.getByRole('button', { name: 'Save task' }));
  await user.paste('Dearer hours');
  await user.click(confirm().getByRole('button', { name: 'Save' }));
  expect(sdk.api.callsOf(at.tasks.update).at(-1)?.body).toEqual({ reward: 40, reason: 'Dearer hours' });
  expect(table.getByText('40')).toBeDefined();
});

test('what another operator changes while a form is open stays: only what was typed is sent, and a number shows as it is', async () => {
  const sdk = epochsSdk();
  const { user } = await openRoom(sdk);
  await user.click(
    within(screen.getByRole('table', { name: 'Tasks' })).getByRole('button', { name: 'Edit mine-1-hour' }),
  );
  const task = form('Edit mine-1-hour');
  await user.type(task.getByLabelText('Title'), '!');
  const gamma = form('Epoch Gamma');
  await user.type(gamma.getByLabelText('Name'), ' II');
  const ofTask = TASKS.map((one) => (one.id === 'mine-1-hour' ? { ...one, reward: 60, maxProgress: 1_800 } : one));
  const ofEpoch = EPOCHS.map((one) =>
    one.id === 'gamma' ? { ...one, rewardsMultiplier: 1.3, description: 'D' } : one,
  );
  sdk.api
    .on(at.tasks.catalogue, { tasks: ofTask, days: 7, countedSince: '2026-11-15' })
    .on(at.epochs.epochs, [...ofEpoch]);
  await settle(15_000);
  const fieldOf = (of: typeof task, label: string) => of.getByLabelText<HTMLInputElement>(label).value;
  expect([fieldOf(task, 'Title'), fieldOf(task, 'Base reward, CORD'), fieldOf(task, 'Goal')]).toEqual([
    'Mine for 1 hour!',
    '60',
    '1800',
  ]);
  expect(fieldOf(gamma, 'Multiplier, at most 2 decimals')).toBe('1.3');
  await user.click(task.getByRole('button', { name: 'Save task' }));
  await user.keyboard('Louder{Enter}');
  expect(sdk.api.callsOf(at.tasks.update).at(-1)?.body).toEqual({ title: 'Mine for 1 hour!', reason: 'Louder' });
  await user.click(gamma.getByRole('button', { name: 'Save epoch' }));
  await user.keyboard('The second{Enter}');
  expect(sdk.api.callsOf(at.epochs.updateEpoch).at(-1)?.body).toEqual({ name: 'Epoch Gamma II', reason: 'The second' });
});

test('an epoch that begins while somebody types in it stays in the form; without anything typed the next one follows', async () => {
  const soon = EPOCHS.map((one) =>
    one.id === 'gamma' ? { ...one, startDate: new Date(SAMPLE_NOW_MS + 60_000).toISOString() } : one,
  );
  const untouched = epochsSdk();
  untouched.api.on(at.epochs.epochs, soon);
  await openRoom(untouched);
  untouched.clock.advance(90_000);
  await settle(90_000);
  expect(form('Epoch Delta')).toBeDefined();
  cleanup();
  const sdk = epochsSdk();
  sdk.api.on(at.epochs.epochs, soon);
  const { user } = await openRoom(sdk);
  await user.type(form('Epoch Gamma').getByLabelText('Name'), ' II');
  sdk.clock.advance(90_000);
  await settle(90_000);
  expect(form('Epoch Gamma').getByLabelText<HTMLInputElement>('Name').value).toBe('Epoch Gamma II');
});

test('what was saved is no longer typed: a later change by another operator is not undone with the next one', async () => {
  const sdk = epochsSdk();
  const { user } = await openRoom(sdk);
  const gamma = form('Epoch Gamma');
  const multiplier = gamma.getByLabelText<HTMLInputElement>('Multiplier, at most 2 decimals');
  await user.clear(multiplier);
  await user.paste('1.25');
  await settle(500);
  await user.click(gamma.getByRole('button', { name: 'Save epoch' }));
  await user.keyboard('More for Gamma{Enter}');
  sdk.api.on(at.epochs.epochs, [...EPOCHS]);
  await settle(15_000);
  expect(multiplier.value).toBe('1.2');
});

test('acts and fields have their names', () => {
  const [one, two] = [
    { id: 'a', n: 1 },
    { id: 'a', n: 2 },
  ];
  expect(kindOf(inverseOf({ before: null, after: one }, 'why'))).toBe('remove');
  expect(changedOf({ before: one, after: two }, ['id', 'n'])).toEqual(['n']);
  const task = TASKS[1] as (typeof TASKS)[number];
  const dearer = { ...task, reward: task.reward + 0.000_001 };
  expect(taskChanges({ before: task, after: dearer }, TEXTS.get())).toEqual([
    { what: 'Base reward, CORD', before: '35.00', after: '35.000001' },
  ]);
  expect(wouldPay(task, 35)).toBe(35 * 4_714);
  const known = '2026-11-28T01:25:30.500Z';
  expect([toField(known), fromField('2026-11-28T01:25', known)]).toEqual(['2026-11-28T01:25', known]);
  expect([fromField('2026-11-28T01:26', known), fromField('')]).toEqual(['2026-11-28T01:26:00.000Z', null]);
});
