import { at, problem, type TestSdk } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { modulesSdk, PUBLISHED, sampleLine, sampleSwitches } from './modules.fixtures';
import { actOf, actText } from './use-modules';

testsOfView('modules');

async function open(module: string | null = null, prepare: (sdk: TestSdk) => void = () => undefined) {
  const sdk = modulesSdk(module);
  prepare(sdk);
  const view = await openRoom(sdk);
  await screen.findByRole('table', { name: 'Modules and shell' });
  return view;
}

const region = (name: string) => within(screen.getByRole('region', { name }));
const panel = () => screen.findByTestId('confirm');
const addressed = (sdk: TestSdk) => sdk.tabs.params.get().admin ?? {};

test('each module shows its version and unusual state; its journal shows who, when and why', async () => {
  const { user, sdk } = await open();
  const table = within(screen.getByRole('table', { name: 'Modules and shell' }));
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'NameIn useSince, UTCByState',
    expect.stringMatching(/^shell1\.8\.1-.*mara, at startupNormal$/),
    expect.stringMatching(/^mfe_mining1\.8\.1-.*Normal$/),
    expect.stringMatching(/^mfe_tasks1\.8\.2-.*18 Nov, 19:03olekCanary 10%$/),
    expect.stringMatching(/^mfe_wallet1\.8\.2-.*inesFrozen$/),
  ]);
  await user.click(table.getByRole('link', { name: 'mfe_tasks' }));
  expect(addressed(sdk).module).toBe('mfe_tasks');
  const lines = region('Journal of mfe_tasks')
    .getAllByRole('listitem')
    .map((line) => line.textContent);
  expect(lines[0]).toMatch(/^1\.9\.0-0b1c2d3e4f5a as canary for 10%.*, inesThe streak’s own page/);
  expect(lines[1]).toMatch(/^Rolled back to 1\.8\.2-.*, olekEvery fourth visit meets an error/);
  const command = screen.getByRole('group', { name: 'Publish command' }).querySelector('code');
  expect(command?.textContent).toBe('npx cord module publish tasks --why "..."');
});

test('the shell has no canary or switch; a frozen module can neither promote nor start a canary', async () => {
  const wallet = PUBLISHED.at(-1) as (typeof PUBLISHED)[number];
  const [now, ...before] = wallet.journal;
  const frozen = { ...wallet, journal: [{ ...now!, canary: { version: '2.0.0-aa', share: 0.1 } }, ...before] };
  const shell = { ...PUBLISHED[0]!, journal: [sampleLine(2, { from: sampleLine(1).version }), sampleLine(1)] };
  const published = [shell, ...PUBLISHED.slice(1, -1), frozen];
  const { user } = await open(null, ({ api }) => void api.on(at.releases.releases, { published, unreadable: [] }));
  const seen = [];
  for (const name of ['shell', 'mfe_tasks', 'mfe_wallet']) {
    const link = screen.getByRole('link', { name });
    await user.click(link);
    expect(screen.getAllByRole('link', { current: true })).toEqual([link]);
    const [card, journal] = [region(name), region(`Journal of ${name}`)];
    seen.push([
      [...card.getByText('In use').closest('dl')!.children].map(({ textContent }) => textContent),
      [...card.getAllByRole('button'), ...journal.queryAllByRole('button')].map(
        (button) =>
          `${button.getAttribute('aria-label') ?? button.textContent} ${button.getAttribute('aria-disabled')}`,
      ),
      journal.queryByText(/^Older entries/) !== null,
    ]);
  }
  expect(seen).toEqual([
    [
      ['In use1.8.2-4fc648d02287', 'Providessdk 2.2.0, design system 2.1.0', 'Size115 KiB'],
      ['Freeze null', 'Copy null', 'Back to this, 1.8.1-4fc648d01287 null'],
      false,
    ],
    [
      [
        'In use1.8.2-4fc648d02287',
        'Works withsdk ^2.0.0, design system ^2.0.0',
        'Size18 KiB',
        'Canary1.9.0-0b1c2d3e4f5a, 10% of the browsers',
      ],
      [
        'Promote canary null',
        'End canary null',
        'Roll back null',
        'Freeze null',
        'Switch off null',
        'Copy null',
        'Back to this, 1.8.3-4fc648d03287 null',
        'As canary, 1.8.3-4fc648d03287 null',
        'Back to this, 1.8.1-4fc648d01287 null',
        'As canary, 1.8.1-4fc648d01287 null',
      ],
      true,
    ],
    [
      [
        'In use1.8.2-4fc648d02287',
        'Works withsdk ^2.0.0, design system ^2.0.0',
        'Size18 KiB',
        'Canary2.0.0-aa, 10% of the browsers',
      ],
      [
        'Promote canary true',
        'End canary null',
        'Roll back null',
        'Unfreeze null',
        'Switch off null',
        'Copy null',
        'Back to this, 1.8.1-4fc648d01287 null',
      ],
      false,
    ],
  ]);
});

test('an unreadable journal and an outdated list are named; an act on an unknown module has no panel', async () => {
  const { sdk } = await open(null, ({ api, tabs }) => {
    tabs.setParam('admin', 'doing', 'freeze mfe_gone');
    api.on(at.releases.releases, { published: [...PUBLISHED], unreadable: ['mfe_old'] });
  });
  expect(screen.getByText('The journal of mfe_old cannot be read. The next publish repairs it.')).toBeDefined();
  expect(screen.queryByTestId('confirm')).toBeNull();
  const stale = 'This could not be refreshed. Showing the last known state.';
  expect(screen.queryByText(stale)).toBeNull();
  sdk.api.fail(at.releases.releases, problem(500, 'No'));
  await settle(30_000);
  expect(screen.getByText(stale)).toBeDefined();
});

test('an act shows its change, requires a reason, and refers to the displayed journal entry', async () => {
  const { user, sdk } = await open('mfe_tasks');
  await user.click(region('mfe_tasks').getByRole('button', { name: 'Roll back' }));
  const opened = within(await panel());
  expect(opened.getByText('In use').nextElementSibling?.textContent).toBe(
    `before: ${sampleLine(2).version}after: ${sampleLine(1).version}`,
  );
  expect(document.activeElement).toBe(opened.getByLabelText('Reason, recorded in Audit'));
  await user.keyboard('The page throws{Enter}');
  await waitFor(() => expect(screen.queryByTestId('confirm')).toBeNull());
  expect(sdk.api.callsOf(at.releases.actOnRelease).map(({ params, body }) => [params, body])).toEqual([
    [{ name: 'mfe_tasks' }, { act: 'rollback', seq: 5, version: sampleLine(1).version, reason: 'The page throws' }],
  ]);
  await region('Journal of mfe_tasks').findByText(`Rolled back to ${sampleLine(1).version}`);
  expect(addressed(sdk).doing).toBeUndefined();
});

test('a canary is ended and the module frozen, each with a reason and the current journal entry', async () => {
  const { user, sdk } = await open('mfe_tasks');
  for (const [name, reason, what, change] of [
    ['End canary', 'As agreed', 'Canary', 'before: 1.9.0-0b1c2d3e4f5a, 10% of the browsersafter: none'],
    ['Freeze', 'Over the weekend', 'Publishes', 'before: allowedafter: blocked'],
  ] as const) {
    await user.click(await region('mfe_tasks').findByRole('button', { name }));
    expect(within(await panel()).getByText(what).nextElementSibling?.textContent).toBe(change);
    await user.keyboard(`${reason}{Enter}`);
    await waitFor(() => expect(screen.queryByTestId('confirm')).toBeNull());
    await region('Journal of mfe_tasks').findByText(reason);
  }
  expect(sdk.api.callsOf(at.releases.actOnRelease).map(({ body }) => body)).toEqual([
    { act: 'end-canary', seq: 5, reason: 'As agreed' },
    { act: 'freeze', seq: 6, reason: 'Over the weekend' },
  ]);
  await region('mfe_tasks').findByRole('button', { name: 'Unfreeze' });
});

test('a version of the journal can be used again, or become a canary for 10%', async () => {
  const { user, sdk } = await open('mfe_tasks');
  const journal = region('Journal of mfe_tasks');
  const { version } = sampleLine(3);
  expect(journal.getAllByRole('button', { name: /^Back to this/ })).toHaveLength(2);
  await user.click(journal.getByRole('button', { name: `As canary, ${version}` }));
  await panel();
  await user.keyboard('Once more{Enter}');
  await waitFor(() => expect(sdk.api.callsOf(at.releases.actOnRelease)).toHaveLength(1));
  expect(sdk.api.callsOf(at.releases.actOnRelease)[0]?.body).toMatchObject({ act: 'canary', version, share: 0.1 });
});

test('a kill switch is turned off with a reason, shows since when and by whom, and is turned on again', async () => {
  const { user, sdk } = await open();
  const switches = region('Switches');
  await user.click(await switches.findByRole('button', { name: 'Switch off Claims' }));
  await panel();
  await user.keyboard('Double claims{Enter}');
  await switches.findByText(/^Off since .* UTC, you: Double claims$/);
  await user.click(switches.getByRole('button', { name: 'Switch on Claims' }));
  await panel();
  await user.keyboard('Mended{Enter}');
  await switches.findByRole('button', { name: 'Switch off Claims' });
  expect(sdk.api.callsOf(at.switches.throwSwitch).map(({ params, body }) => [params, body])).toEqual([
    [{ name: 'claims' }, { on: false, why: 'Double claims' }],
    [{ name: 'claims' }, { on: true, why: 'Mended' }],
  ]);
  const [others, gone] = [{ by: 'a'.repeat(32), byName: 'ines.ops' }, { by: 'b'.repeat(32) }];
  sdk.api.on(at.switches.switches, {
    switches: sampleSwitches([
      { name: 'claims', ...others },
      { name: 'orders', ...gone },
    ]),
  });
  await act(() => sdk.queries.invalidateQueries());
  await switches.findByText(/^Off since .* UTC, ines\.ops: Under repair$/);
  expect(switches.getByText(/^Off since .* UTC, operator bbbb: Under repair$/)).toBeDefined();
});

test('a module has its own kill switch, and Esc cancels', async () => {
  const { user, sdk } = await open('mfe_mining');
  await user.click(region('mfe_mining').getByRole('button', { name: 'Switch off' }));
  await panel();
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('confirm')).toBeNull();
  expect(sdk.api.callsOf(at.switches.throwSwitch)).toEqual([]);
  await user.click(region('mfe_mining').getByRole('button', { name: 'Switch off' }));
  await panel();
  await user.keyboard('It throws{Enter}');
  await region('mfe_mining').findByRole('button', { name: 'Switch on' });
  expect(sdk.api.callsOf(at.switches.throwSwitch)[0]?.params).toEqual({ name: 'module.mfe_mining' });
});

test('a late response to an act closes its own panel, not the next one', async () => {
  const { user, sdk } = await open('mfe_mining');
  const thrown = sdk.api.hold(at.switches.throwSwitch);
  await user.click(region('mfe_mining').getByRole('button', { name: 'Switch off' }));
  await panel();
  await user.keyboard('It throws{Enter}');
  await user.click(region('mfe_mining').getByRole('button', { name: 'Freeze' }));
  const { doing } = addressed(sdk);
  thrown.answer(undefined as never);
  await waitFor(() => expect(sdk.shown).toHaveLength(1));
  expect(addressed(sdk).doing).toBe(doing);
  expect(doing).toMatch(/^freeze/);
});

test('an act that conflicts with a change by another operator is not done, and shows why', async () => {
  const changed = 'Someone else has changed this in the meantime. Nothing was done.';
  const { user, sdk } = await open('mfe_tasks');
  await user.click(region('mfe_tasks').getByRole('button', { name: 'Promote canary' }));
  const opened = within(await panel());
  const canary = 'before: 1.8.2-4fc648d02287after: 1.9.0-0b1c2d3e4f5a';
  expect(opened.getByText('In use').nextElementSibling?.textContent).toBe(canary);
  const other = { act: 'end-canary', seq: 5, reason: 'It is slow' } as const;
  await act(() => sdk.api.call(at.releases.actOnRelease, { params: { name: 'mfe_tasks' }, body: other }));
  await act(() => sdk.queries.invalidateQueries());
  await region('Journal of mfe_tasks').findByText('It is slow');
  expect(opened.getByText('In use').nextElementSibling?.textContent).toBe(canary);
  sdk.api.fail(at.releases.actOnRelease, problem(409, changed, 'release-changed'));
  await user.keyboard('As agreed{Enter}');
  expect(await opened.findByText(changed)).toBeDefined();
  expect(sdk.api.callsOf(at.releases.actOnRelease).at(-1)?.body).toEqual({
    act: 'promote',
    seq: 5,
    reason: 'As agreed',
  });
});

test('an act in the address is parsed back, and an invalid one is ignored', () => {
  const back = { act: 'rollback', name: 'mfe_tasks', version: '1.0.0-a' } as const;
  expect(actOf(actText(back))).toEqual(back);
  expect(actOf(actText({ act: 'off', name: 'claims' }))).toEqual({ act: 'off', name: 'claims' });
  for (const text of [null, '', 'rollback', 'publish mfe_tasks', 'end-all']) expect(actOf(text)).toBeNull();
});
