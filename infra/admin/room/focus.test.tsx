import type { TestSdk } from '@cord/sdk/testing';
import { at } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { watchFocus } from '@cord/ui';
import { screen, within } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { auditSdk, TRAIL } from '../audit/audit.fixtures';
import { correctionsSdk } from '../corrections/corrections.fixtures';
import { epochsSdk } from '../epochs/epochs.fixtures';
import { holdsSdk } from '../holds/holds.fixtures';
import { modulesSdk } from '../modules/modules.fixtures';
import { rulesSdk } from '../rules/rules.fixtures';
import { APPEAL, CASES, supportSdk } from '../support/support.fixtures';
import { HARBOUR_ID, sampleAccount, sampleNetwork, usersSdk } from '../users/users.fixtures';
import { OPERATORS } from './reads';
import { openRoom, testsOfView } from './testing';
import { VIEWS } from './views';

testsOfView('users');
// As the shell does when it starts.
beforeAll(watchFocus);
beforeAll(() => Promise.all(Object.values(VIEWS).map(({ file }) => file.load())));

interface ActOfRoom {
  name: string;
  sdk: () => TestSdk;
  /** A control that is pressed before, as what opens a form. */
  first?: string;
  /** What is typed before it can be pressed, and where. */
  typed?: readonly (readonly [label: string, text: string])[];
  /** The control, by its name. */
  press: string | RegExp;
  /** It is confirmed with a reason first. */
  reason?: boolean;
  /** How everything is once it was done. */
  after?: (sdk: TestSdk) => void;
  /** What is read again then, by its key without ids. */
  renews?: string;
}

const answered = (sdk: TestSdk) =>
  void sdk.api
    .on(at.support.oneCase, { ...APPEAL, status: 'closed', answer: 'One household may.' })
    .on(at.support.queue, { requests: CASES.slice(1), nextCursor: null });

const NETWORK = 'user address network users';
const OF_ACCOUNT = `${NETWORK} sessions corrections refunds orders trail`;
const OF_CASE = `support case ${NETWORK} overview`;
const OF_RELEASES = 'releases switches overview trail';

const ACTS: readonly ActOfRoom[] = [
  {
    name: 'a penalty is cleared',
    renews: OF_ACCOUNT,
    sdk: () => usersSdk(HARBOUR_ID),
    press: /^Clear network penalty/,
    reason: true,
    after: (sdk) => void sdk.api.on(at.admin.network, sampleNetwork({ cleared: true })),
  },
  {
    name: 'sessions are ended',
    renews: OF_ACCOUNT,
    sdk: () => usersSdk(HARBOUR_ID),
    press: 'End all sessions',
    reason: true,
  },
  {
    name: 'a user becomes an operator',
    renews: OF_ACCOUNT,
    sdk: () => usersSdk(HARBOUR_ID),
    press: 'Make an operator',
    reason: true,
    after: (sdk) => void sdk.api.on(at.support.userDetail, sampleAccount({ isAdmin: true })),
  },
  { name: 'a case is taken', renews: OF_CASE, sdk: () => supportSdk(CASES[2]?.id), press: /^Take it/ },
  {
    name: 'a case is answered',
    renews: `${OF_CASE} trail`,
    sdk: () => supportSdk(APPEAL.id),
    typed: [['Answer to harbour_77', 'One household may.']],
    press: /^Keep and answer/,
    after: answered,
  },
  {
    name: 'a line is undone',
    renews: `${NETWORK} overview trail`,
    sdk: auditSdk,
    press: 'Undo Address marked as shared, 51f0…9bd3',
    reason: true,
    after: (sdk) =>
      void sdk.api.on(at.support.audit, {
        entries: TRAIL.map((line) => ({ ...line, undo: line.undo === 'open' ? 'done' : line.undo })),
        nextCursor: null,
        missing: [],
      }),
  },
  {
    name: 'an epoch that has not begun is deleted',
    renews: 'epochs epoch-preview epochs current trail',
    sdk: epochsSdk,
    press: 'Delete',
    reason: true,
  },
  {
    name: 'an address is marked as shared with an answer',
    renews: `${OF_CASE} trail`,
    sdk: () => supportSdk(APPEAL.id),
    typed: [['Answer to harbour_77', 'One household may.']],
    press: 'Mark address as shared and answer',
    reason: true,
    after: answered,
  },
  {
    name: 'a correction is confirmed',
    renews: 'corrections ledger trail',
    sdk: correctionsSdk,
    press: 'Confirm, account ffff…fff1, -2,400.00 CORD',
    reason: true,
  },
  {
    name: 'a change of the rules is confirmed',
    renews: 'rules rules trail',
    sdk: rulesSdk,
    press: 'Confirm, from 25 Nov 2026, 11:03 UTC',
    reason: true,
  },
  { name: 'a bonus is refused', renews: 'holds trail', sdk: holdsSdk, press: 'Refuse, kofi_b', reason: true },
  { name: 'the form of a task opens', sdk: epochsSdk, press: 'Edit follow-x' },
  {
    name: 'the form of a task is discarded',
    sdk: epochsSdk,
    first: 'Edit follow-x',
    press: 'Discard',
  },
  {
    name: 'a task is changed',
    renews: 'tasks tasks trail',
    sdk: epochsSdk,
    first: 'Edit follow-x',
    typed: [['Title', 'Follow us on X']],
    press: 'Save task',
    reason: true,
  },
  {
    name: 'a task is deleted',
    renews: 'tasks tasks trail',
    sdk: epochsSdk,
    first: 'Edit follow-x',
    press: 'Delete',
    reason: true,
  },
  {
    name: 'a task is created',
    renews: 'tasks tasks trail',
    sdk: epochsSdk,
    first: 'New task',
    typed: [
      ['Short name, used in links', 'join-telegram'],
      ['Title', 'Join Telegram'],
    ],
    press: 'Save task',
    reason: true,
  },
  { name: 'claims are switched off', renews: OF_RELEASES, sdk: modulesSdk, press: 'Switch off Claims', reason: true },
  {
    name: 'a module is switched off',
    renews: OF_RELEASES,
    sdk: () => modulesSdk('mfe_mining'),
    press: 'Switch off',
    reason: true,
  },
  ...[
    { name: 'a module is rolled back', press: 'Roll back' },
    { name: 'a canary is promoted', press: 'Promote canary' },
    { name: 'a canary is ended', press: 'End canary' },
    { name: 'a module is frozen', press: 'Freeze' },
    { name: 'a version of the journal is used again', press: /^Back to this/ },
  ].map((act) => ({ ...act, renews: OF_RELEASES, sdk: () => modulesSdk('mfe_tasks'), reason: true })),
];

test.each(ACTS)(
  'the focus stays in the room and the data is invalidated when $name',
  async ({ sdk: made, first, typed = [], press, reason, after, renews = '' }) => {
    const sdk = made();
    const renewed = vi.spyOn(sdk.cache, 'invalidate');
    const { user } = await openRoom(sdk);
    await settle();
    if (first) {
      await user.click(screen.getByRole('button', { name: first }));
    }
    for (const [label, text] of typed) {
      await user.clear(screen.getByLabelText(label));
      await user.paste(text);
    }
    const control = screen.getAllByRole('button', { name: press }).at(first ? -1 : 0);
    control?.focus();
    if (!reason) after?.(sdk);
    await user.keyboard('{Enter}');
    if (reason) {
      await settle();
      const field = within(screen.getByTestId('confirm')).getByLabelText('Reason, recorded in Audit');
      expect(document.activeElement).toBe(field);
      await user.paste('As agreed');
      after?.(sdk);
      await user.keyboard('{Enter}');
    }
    await settle(1_000);
    expect(screen.queryByTestId('confirm')).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    const keys = renewed.mock.calls
      .flat(2)
      .map((key) => key.filter((part) => part !== OPERATORS && !/[0-9a-f]{20}/.test(`${part}`)));
    expect(keys.flat().join(' ')).toBe(renews);
  },
);
