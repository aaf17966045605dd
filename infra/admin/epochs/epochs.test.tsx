import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, panel, testsOfView, text } from '../room/testing';
import { changedOf, inverseOf, kindOf } from './act';
import { EPOCHS, epochsSdk, refusal, samplePreview, TASKS } from './epochs.fixtures';
import { form, rowsOf } from './epochs.stage';
import { taskChanges, wouldPay } from './task-changes';
import { TEXTS } from './texts';
import { fromField, toField } from './utc-field';

testsOfView('epochs');

test('a change of an epoch is previewed when typing pauses, saved with a reason, and undone by a new act', async () => {
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
  await user.click(panel().getByRole('button', { name: 'Save' }));
  expect(sdk.api.callsOf(at.epochs.updateEpoch).at(-1)?.body).toEqual({
    rewardsMultiplier: 1.25,
    reason: 'More for Gamma',
  });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await user.click(panel().getByRole('button', { name: 'Save' }));
  const undo = { rewardsMultiplier: 1.2, reason: 'Undo: More for Gamma' };
  expect(sdk.api.callsOf(at.epochs.updateEpoch).at(-1)?.body).toEqual(undo);
});

test.each(['Epoch Gamma', 'New epoch'])(
  'edits of %s are restored once after a new sign-in; other fields show the current values',
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
    await user.click(panel().getByRole('button', { name: /^(Save|Create)$/ }));
    const link = panel().getByRole('link', { name: 'Sign in again' });
    link.addEventListener('click', (event) => event.preventDefault());
    await user.click(link);
    cleanup();
    expect((await open()).description.value).toBe('A fifth more.');
    cleanup();
    expect((await open()).description.value).not.toBe('A fifth more.');
  },
);

test('the times of an epoch are shown in the usual format beside the browser’s fields', async () => {
  await openRoom(epochsSdk());
  const begins = form('Epoch Gamma').getByLabelText('Begins, UTC');
  const hint = document.getElementById(begins.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toMatch(/^\d{1,2} [A-Z][a-z]+ 2026, \d\d:\d\d$/);
  fireEvent.change(begins, { target: { value: '2026-12-08T00:00' } });
  expect(hint?.textContent).toBe('8 Dec 2026, 00:00');
});

test('an error of the server is shown at its field, and prevents saving', async () => {
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

test('an invalid number shows an error, and prevents saving', async () => {
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

test('a form sends only the edited fields, and shows changes by another operator in the others', async () => {
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

test('an epoch that begins while it is edited stays in the form; without edits the next one follows', async () => {
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

test('after saving, a field shows later changes by another operator again', async () => {
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

test('epochs are shown in order with their times; once started or ended, only harmless fields can be edited', async () => {
  const { user } = await openRoom(epochsSdk());
  const buttons = [...document.querySelectorAll('[data-epoch] button')];
  expect(buttons.map((button) => `${button.textContent} ${button.getAttribute('aria-pressed')}`)).toEqual([
    'Alpha ×1until 6 Nov false',
    'Beta ×1.1, nowuntil 21 Nov false',
    'Gamma ×1.221 Nov to 6 Dec true',
    'Delta ×1.36 Dec to 21 Dec false',
    'Epsilon ×1.121 Dec to 5 Jan 2027 false',
  ]);
  const readOnly = async (name: string) => {
    await user.click(screen.getByRole('button', { name: new RegExp(`^${name} `) }));
    const of = form(`Epoch ${name}`);
    return [
      ...['Name', /^Multiplier/, 'Begins, UTC', 'Ends, UTC'].map(
        (label) => of.getByLabelText<HTMLInputElement>(label).readOnly,
      ),
      ...of.queryAllByText(/^It has (started|ended)/).map(text),
      of.queryByText(/^Begins in/)?.textContent,
      of.queryByRole('button', { name: 'Delete' }) !== null,
    ];
  };
  expect([await readOnly('Alpha'), await readOnly('Beta'), await readOnly('Gamma')]).toEqual([
    [
      false,
      true,
      true,
      true,
      'It has started. You can change its name, description and end.',
      'It has ended. You can change its name and description.',
      undefined,
      false,
    ],
    [false, true, true, false, 'It has started. You can change its name, description and end.', undefined, false],
    [false, false, false, false, 'Begins in 6 h, so it can still be changed', true],
  ]);
});

test('the effect shows each period, the sample and the time between epochs', async () => {
  const sdk = epochsSdk();
  const [span] = samplePreview(1).spans;
  sdk.api
    .on(
      at.epochs.epochs,
      EPOCHS.filter(({ id }) => id !== 'delta'),
    )
    .on(
      at.epochs.previewEpoch,
      samplePreview(1, { isWhole: false, sampled: 100, spans: [span!, span!], adds: -9_870 }),
    );
  await openRoom(sdk);
  const gamma = form('Epoch Gamma');
  expect(gamma.getByText('Effect of this change.').parentElement?.textContent).toBe(
    'Effect of this change. The 219 nodes running now would mine 355,752.0 CORD a day instead of 426,902.4, from 21 Nov 2026, 17:03 to 6 Dec 2026, 17:03. Rates change in 1 more period. In total, about 9.8K CORD less if they run all the time. Estimated from a sample of 100 accounts.',
  );
  expect(gamma.getAllByRole('listitem').map(text)).toEqual([
    'Begins in 6 h, so it can still be changed',
    'Between Epoch Gamma and Epoch Epsilon the base rate applies',
    'The highest rate becomes 5.250000 CORD/min (×10, with badge)',
  ]);
  const table = screen.getByRole('table', { name: 'Effect on rates, CORD/min' });
  expect(within(table).getAllByRole('columnheader').map(text)).toEqual([
    'Account age',
    'Nodes',
    '×1.1, now',
    '×1.2',
    '×1',
  ]);
  expect(rowsOf('Effect on rates, CORD/min').slice(-2)).toEqual(['7 y73.85004.20003.5000', '8+ y35.50006.00005.0000']);
  cleanup();
  sdk.queries.clear();
  sdk.api.on(at.epochs.previewEpoch, samplePreview(1, { nodes: 0 }));
  await openRoom(sdk);
  expect(screen.getByText(/^No node is running/)).toBeDefined();
  cleanup();
  sdk.queries.clear();
  sdk.api.fail(at.epochs.previewEpoch, problem(409, 'The epochs overlap'));
  await openRoom(sdk);
  expect(screen.getByText('The epochs overlap')).toBeDefined();
});

test('a new epoch follows the last one for 15 days with an id from its name, and is deleted with a reason', async () => {
  const { user, sdk } = await openRoom(epochsSdk());
  await user.click(screen.getByRole('button', { name: 'New epoch' }));
  await user.click(form('New epoch').getByLabelText('Name'));
  await user.paste('Epoch Zeta, 2nd');
  await settle(500);
  await user.click(form('New epoch').getByRole('button', { name: 'Save epoch' }));
  expect(screen.getByTestId('confirm').textContent).toBe(
    'New: Epoch Zeta, 2ndEscNameEpoch Zeta, 2ndDescription, shown in the bannernoneMultiplier, at most 2 decimals×1Begins, UTC5 Jan 2027, 17:03Ends, UTC20 Jan 2027, 17:03Reason, recorded in AuditCreateEnter a reason of at least three characters.Cancel',
  );
  await user.keyboard('As announced{Enter}');
  expect(sdk.api.callsOf(at.epochs.createEpoch).map(({ body }) => body)).toEqual([
    {
      description: '',
      endDate: '2027-01-20T17:03:17.000Z',
      id: 'zeta-2nd',
      name: 'Epoch Zeta, 2nd',
      reason: 'As announced',
      rewardsMultiplier: 1,
      startDate: '2027-01-05T17:03:17.000Z',
    },
  ]);
  await settle(500);
  await user.click(form('Epoch Zeta, 2nd').getByRole('button', { name: 'Delete' }));
  await user.keyboard('Too early{Enter}');
  expect(sdk.api.callsOf(at.epochs.removeEpoch).map(({ params, query }) => [params, query])).toEqual([
    [
      {
        id: 'zeta-2nd',
      },
      {
        reason: 'Too early',
      },
    ],
  ]);
  expect(screen.getByText('Epoch Zeta, 2nd was deleted.')).toBeDefined();
});

test('acts, changed fields and times are computed exactly', () => {
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
