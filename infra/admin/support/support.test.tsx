import { at, problem, sampleCheck, sampleUser } from '@cord/sdk/testing';
import { cleanup, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, panel, testsOfView, text } from '../room/testing';
import { APPEAL, CASES, sampleAddress, supportSdk } from './support.fixtures';

testsOfView('support');

const list = () => within(screen.getByRole('region', { name: 'Cases' }));
const theCase = () => within(screen.getByTestId('case'));
const answerWith = async (user: Awaited<ReturnType<typeof openRoom>>['user'], button: string) => {
  await user.type(theCase().getByLabelText('Answer to harbour_77'), 'One household may.');
  await user.click(theCase().getByRole('button', { name: button }));
};

test('the queue is filtered and searched by the server; a row links to its case', async () => {
  const { user, sdk } = await openRoom(supportSdk());
  expect(list().getAllByRole('link')).toHaveLength(3);
  expect(list().getByText('5 h 20 min')).toBeDefined();
  await user.click(list().getByRole('radio', { name: /^Appeals ?3$/ }));
  await user.type(screen.getByRole('searchbox', { name: 'Name or case' }), 'harb');
  await settle(400);
  expect(sdk.api.callsOf(at.support.queue).at(-1)?.query).toEqual({
    status: 'open',
    limit: '25',
    kind: 'appeal',
    search: 'harb',
  });
  const row = list().getByRole('link');
  expect(row.getAttribute('href')).toContain(`case=${APPEAL.id}`);
  await user.click(row);
  expect(document.activeElement).toBe(screen.getByTestId('case'));
  expect(theCase().getByText('Level 2, ×0.5')).toBeDefined();
  expect(theCase().getByText('5.500000')).toBeDefined();
  expect(
    theCase().getByText(
      /^Marking lifts the penalty of all 4 accounts \(×0\.5 to ×1\)\..*A reply does not refund anything\.$/,
    ),
  ).toBeDefined();
  const rows = within(theCase().getByRole('table', { name: 'Network record, 30 days' })).getAllByRole('row');
  expect(rows.map(text)).toEqual([
    'AccountAgeMined hereMined elsewhereFirst seen',
    'harbour_779.1 y212 h3 h28 Oct',
    'e_harbour6.4 y148 h40 h28 Oct',
    'finn.h2.2 y87 h66 h2 Nov',
    'kasper_081.3 y51 h0 h–',
  ]);
  expect(theCase().getByText(/8ae1…04f2/)).toBeDefined();
});

test('an appeal is decided together with its answer: the address is marked first, with a reason, then the answer is sent', async () => {
  const { user, sdk } = await openRoom(supportSdk(APPEAL.id));
  await user.click(theCase().getByRole('button', { name: 'Mark address as shared and answer' }));
  expect(screen.queryByTestId('confirm')).toBeNull();
  await answerWith(user, 'Mark address as shared and answer');
  expect(panel().getByText('Accounts that count there').nextElementSibling?.textContent).toBe('4');
  expect(panel().getByText('Level').nextElementSibling?.textContent).toBe('before: Level 2, ×0.5after: Clean, ×1');
  expect(document.activeElement).toBe(panel().getByLabelText('Reason, recorded in Audit'));
  expect(sdk.api.callsOf(at.support.markAddress)).toEqual([]);
  await user.click(panel().getByRole('button', { name: 'Mark address as shared and answer' }));
  const acts = sdk.api.calls.filter(({ id }) => id === at.support.markAddress.id || id === at.support.answer.id);
  expect(acts.map(({ id, body }) => [id, body])).toEqual([
    ['admin.markAddress', { shared: true, reason: 'Appeal 4c12', about: APPEAL.userId }],
    ['admin.answer', { answer: 'One household may.', close: true }],
  ]);
  expect(sdk.shown.at(-1)?.title).toBe('Answer sent.');
  expect(theCase().queryByLabelText('Answer to harbour_77')).toBeNull();
  expect(theCase().getByText('One household may.')).toBeDefined();
});

test('a draft of an answer is restored after another case and after a reload, until it is sent', async () => {
  const begun = () => theCase().getByLabelText<HTMLTextAreaElement>('Answer to harbour_77').value;
  const { user, sdk, unmount } = await openRoom(supportSdk(APPEAL.id));
  await user.type(theCase().getByLabelText('Answer to harbour_77'), 'One household');
  sdk.tabs.setParam('admin', 'case', CASES[2]?.id ?? null);
  await settle();
  expect(theCase().getByLabelText<HTMLTextAreaElement>('Answer to gus').value).toBe('');
  unmount();
  const again = await openRoom(supportSdk(APPEAL.id));
  expect(begun()).toBe('One household');
  await again.user.click(theCase().getByRole('button', { name: 'Keep and answer' }));
  await settle();
  again.unmount();
  await openRoom(supportSdk(APPEAL.id));
  expect(begun()).toBe('');
});

test('filters and the open case are restored in this tab with a short notice, without moving the focus', async () => {
  const sdk = supportSdk(APPEAL.id);
  sdk.tabs.setParam('admin', 'kind', 'appeal');
  await openRoom(sdk);
  // By the link of another tab.
  const elsewhere = document.body.appendChild(document.createElement('button'));
  elsewhere.focus();
  cleanup();
  for (const name of ['kind', 'case']) sdk.tabs.setParam('admin', name, null);
  sdk.clock.advance(12 * 60_000);
  const { user } = await openRoom(sdk);
  const number = APPEAL.id.slice(0, 4);
  expect(document.body.textContent).toMatch(
    new RegExp(`As you left it( 12 min ago)?: Appeals, case ${number}\\.Start over`),
  );
  expect(theCase().getByLabelText('Answer to harbour_77')).toBeDefined();
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(sdk.tabs.params.get().admin).toEqual({ view: 'support' });
});

test('a restored search is in its field and in the address; Start over clears both', async () => {
  const sdk = supportSdk();
  sdk.tabs.setParam('admin', 'search', 'harb');
  await openRoom(sdk);
  cleanup();
  sdk.tabs.setParam('admin', 'search', null);
  sdk.clock.advance(60_000);
  const { user } = await openRoom(sdk);
  await settle(400);
  const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Name or case' }).value;
  const kept = () => sdk.tabs.params.get().admin?.search;
  expect([field(), kept()]).toEqual(['harb', 'harb']);
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  await settle(400);
  expect([field(), kept()]).toEqual(['', undefined]);
});

test('if the first step fails, the error is in the panel and no answer is sent; the next press does both', async () => {
  const { user, sdk } = await openRoom(supportSdk(APPEAL.id));
  sdk.api.fail(at.support.changeUser, problem(422, 'Not now', 'not-now'));
  await answerWith(user, 'Clear this user and answer');
  await user.keyboard('{Enter}');
  // In the panel, and not at the field of the answer, too.
  expect(theCase().getAllByText('Not now')).toHaveLength(1);
  expect(sdk.api.callsOf(at.support.answer)).toEqual([]);
  sdk.api.on(at.support.changeUser, { ...sampleUser({ id: APPEAL.userId }), anticheat: sampleCheck({}) });
  await user.keyboard('{Enter}');
  await settle();
  expect(sdk.api.callsOf(at.support.answer)).toHaveLength(1);
});

test('a case taken by another operator is read-only; E takes a free one and releases it', async () => {
  const { user, sdk } = await openRoom(supportSdk(CASES[2]?.id));
  await user.keyboard('e');
  expect(theCase().getByText(/You took it at 11:03/)).toBeDefined();
  await user.keyboard('e');
  expect(sdk.api.callsOf(at.support.take).map(({ body }) => body)).toEqual([{ taken: true }, { taken: false }]);
  sdk.api.on(at.support.oneCase, {
    ...APPEAL,
    taken: { by: 'b'.repeat(32), username: 'olek', at: '2026-11-21T10:14:00Z' },
  });
  await settle(11_000);
  expect(theCase().getByText(/olek took this at 10:14/)).toBeDefined();
  expect(
    theCase()
      .getByRole('button', { name: /Take it/ })
      .getAttribute('aria-disabled'),
  ).toBe('true');
  await user.keyboard('e');
  expect(sdk.api.callsOf(at.support.take)).toHaveLength(2);
  await answerWith(user, 'Keep and answer');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('a');
  expect(sdk.api.callsOf(at.support.answer)).toEqual([]);
});

test('open cases are counted by kind; an empty list shows why, and a new filter starts at the first page', async () => {
  const { user, sdk } = await openRoom(supportSdk(APPEAL.id));
  const chips = () =>
    list()
      .getAllByRole('radio')
      .map((chip) => chip.parentElement?.textContent);
  expect(chips()).toEqual(['All5', 'Appeals3', 'Refunds2', 'Support0', 'Open', 'Answered', 'Closed']);
  expect(
    list()
      .getAllByRole('link')
      .map((row) => `${row.textContent} ${row.getAttribute('aria-current')}`),
  ).toEqual([
    'BlueHeronHonor1 h 4 minPaid twice from two walletsRefund null',
    'harbour_775 h 20 minWe are a family of four, one routerAppeal true',
    'gus12 minMy streak says 4, it was 5Support null',
  ]);
  await user.click(list().getByRole('radio', { name: 'Answered' }));
  await settle();
  expect(chips()).toEqual(['All', 'Appeals', 'Refunds', 'Support', 'Open', 'Answered', 'Closed']);
  expect(list().getByText('No case found')).toBeDefined();
  sdk.api.on(at.support.queue, { requests: [], nextCursor: 'next' });
  await user.click(list().getByRole('radio', { name: /^Open/ }));
  await settle(11_000);
  expect(list().getByText('Nothing is waiting')).toBeDefined();
  await user.click(list().getByRole('button', { name: 'Next cases' }));
  await user.type(screen.getByRole('searchbox', { name: 'Name or case' }), 'h');
  await settle(400);
  expect(
    sdk.api
      .callsOf(at.support.queue)
      .slice(-2)
      .map(({ query }) => query),
  ).toEqual([
    { status: 'open', limit: '25', cursor: 'next' },
    { status: 'open', limit: '25' },
  ]);
});

test('a case without a penalty can be answered or closed without an address; a failed answer shows its error', async () => {
  const sdk = supportSdk(CASES[0]?.id);
  sdk.api.fail(at.support.answer, problem(422, 'Not now', 'not-now'));
  const { user } = await openRoom(sdk);
  const buttons = () => theCase().getAllByRole('button').map(text);
  expect(buttons()).toEqual(['Support', 'Take itE', 'AnswerA', 'Answer and close']);
  const field = theCase().getByLabelText('Answer to BlueHeron');
  await user.type(field, 'It went back.');
  field.blur();
  await user.keyboard('a');
  expect(theCase().getByText('Not now')).toBeDefined();
  await user.click(theCase().getByRole('button', { name: 'Answer and close' }));
  expect(sdk.api.callsOf(at.support.answer)).toMatchObject([{ body: { close: false } }, { body: { close: true } }]);
  expect(sdk.api.callsOf(at.support.address)).toEqual([]);
  cleanup();
  const shared = supportSdk(APPEAL.id);
  shared.api.on(at.support.address, sampleAddress({ shared: true }));
  await openRoom(shared);
  expect(buttons()).toEqual(['Support', 'Take itE', 'Clear this user and answerC', 'Keep and answerA']);
});

test('an answered case shows its answer and time, and cannot be taken', async () => {
  const sdk = supportSdk(APPEAL.id);
  sdk.api
    .on(at.support.oneCase, {
      ...APPEAL,
      status: 'answered',
      answer: 'One household may.',
      answeredAt: '2026-11-21T09:00:00Z',
    })
    .on(at.support.userDetail, {
      ...sampleUser({ id: APPEAL.userId, hasbadgeofhonor: true }),
      anticheat: sampleCheck({}),
      addressKey: null,
      support: [{}, {}, {}],
    });
  await openRoom(sdk);
  expect(theCase().queryAllByRole('button').map(text)).toEqual(['Support']);
  expect(theCase().getByRole('heading', { level: 2, name: /router$/ }).parentElement?.textContent).toBe(
    'harbour_77: We are a family of four, one routerAppeal 4c12, 21 Nov 2026, 05:43 UTC. ',
  );
  expect(theCase().getByText(/^Answered/).textContent).toBe('Answered 21 Nov 2026, 09:00');
  expect([...theCase().getByText('Balance').closest('dl')!.children].map(text)).toEqual([
    'LevelClean, ×1',
    'Rate now1.925000',
    'Rate if clear1.925000',
    'Account age5.4 years',
    'Balance48,213.57',
    'Joined3 Oct 2026',
    'BadgeHeld',
    'Earlier cases2',
  ]);
  expect(theCase().getByRole('region', { name: 'Network record, 30 days' }).textContent).toBe(
    'Network record, 30 daysThis account does not count at any address.',
  );
});

test('a case that cannot be taken shows why', async () => {
  const sdk = supportSdk(CASES[2]?.id);
  sdk.api.fail(at.support.take, problem(409, 'olek has taken this', 'taken'));
  const { user } = await openRoom(sdk);
  await user.keyboard('e');
  expect(sdk.shown).toMatchObject([{ kind: 'error', title: 'olek has taken this' }]);
});

test('A, C and M decide with an answer and focus its field without one; Esc closes the panel', async () => {
  const { user, sdk } = await openRoom(supportSdk(APPEAL.id));
  const field = theCase().getByLabelText('Answer to harbour_77');
  const key = async (pressed: string) => {
    field.blur();
    await user.keyboard(pressed);
  };
  await key('c');
  expect(document.activeElement).toBe(field);
  await user.paste('One household may.'.padEnd(600, '!'));
  const given = () => panel().getByLabelText<HTMLInputElement>('Reason, recorded in Audit').value;
  await key('c');
  expect(given()).toBe('Appeal 4c12: One household may.'.padEnd(500, '!'));
  await user.keyboard('{Escape}');
  await user.clear(field);
  await user.paste('One household may.');
  await key('m');
  expect(panel().getByRole('heading', { name: 'Mark address as shared' })).toBeDefined();
  const until = () => panel().getByText('In effect until').nextElementSibling?.textContent;
  expect(until()).toBe('an operator undoes it');
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('confirm')).toBeNull();
  await key('c');
  expect(panel().getByRole('heading', { name: 'Clear network penalty' })).toBeDefined();
  expect(until()).toBe('90 days from now, or an operator undoes it');
  await user.keyboard('{Escape}');
  await key('a');
  expect(sdk.api.callsOf(at.support.answer).map(({ body }) => body)).toEqual([
    { answer: 'One household may.', close: true },
  ]);
  expect(sdk.api.callsOf(at.support.markAddress)).toEqual([]);
});

test('while a panel is open, keys trigger no other act, and the answer is not sent', async () => {
  const { user, sdk } = await openRoom(supportSdk(APPEAL.id));
  const field = theCase().getByLabelText('Answer to harbour_77');
  await user.type(field, 'One household may.');
  field.blur();
  await user.keyboard('m');
  const button = panel().getByRole('button', { name: 'Mark address as shared and answer' });
  for (const leave of [() => button.focus(), () => button.blur()]) {
    leave();
    await user.keyboard('aecgo');
    expect(sdk.api.calls.filter(({ id }) => id === at.support.answer.id || id === at.support.take.id)).toEqual([]);
    expect(panel().getByRole('heading', { name: 'Mark address as shared' })).toBeDefined();
  }
});

test('Esc closes the panel of a decision first, then the case', async () => {
  const { user, sdk } = await openRoom(supportSdk(APPEAL.id));
  const field = theCase().getByLabelText('Answer to harbour_77');
  await user.type(field, 'One household may.');
  field.blur();
  await user.keyboard('m');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('confirm')).toBeNull();
  expect(sdk.tabs.params.get().admin?.case).toBe(APPEAL.id);
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('{Escape}');
  expect(sdk.tabs.params.get().admin?.case).toBeUndefined();
});

test('J and K move through the list, / focuses the search', async () => {
  const { user, sdk } = await openRoom(supportSdk());
  await user.keyboard('j');
  const opened = () => sdk.tabs.params.get().admin?.case;
  expect(opened()).toBe(CASES[0]?.id);
  await user.keyboard('j');
  expect(opened()).toBe(CASES[1]?.id);
  await user.keyboard('kk');
  expect(opened()).toBe(CASES[0]?.id);
  await user.keyboard('/');
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Name or case' }));
});

test('a deleted case is shown as such', async () => {
  await openRoom(supportSdk('9'.repeat(32)));
  expect(theCase().getByText('This case is no longer here')).toBeDefined();
});
