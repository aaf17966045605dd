// @vitest-environment jsdom
import * as at from '@cord/contracts/addresses/referrals';
import { inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { withoutLayout } from '@cord/ui/testing';
import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Room } from '../room/room';
import { VIEWS } from '../room/views';
import { HOLDS, holdsSdk } from './holds.fixtures';

beforeAll(VIEWS.holds.load);
beforeEach(() => {
  withoutLayout();
  localStorage.clear();
  sessionStorage.clear();
});
inFakeTime();

test('what is held says how much and why; it is refused for a reason, and that is taken back', async () => {
  const sdk = holdsSdk();
  const { user } = renderWithSdk(<Room />, sdk);
  await settle();
  expect(screen.getAllByTestId('hold')).toHaveLength(HOLDS.length);
  const row = (name: RegExp) => {
    const found = screen.getAllByTestId('hold').find((each) => name.test(each.textContent ?? ''));
    return within(found as HTMLElement);
  };
  expect(row(/kofi_b/).getByText('86 CORD for the friend')).toBeDefined();
  expect(row(/kofi_b/).getByText(/One address, level 2/)).toBeDefined();
  expect(row(/finn\.h/).getByText(/First hour at an address of the referrer/)).toBeDefined();
  const decide = async (press: string, reason: string) => {
    await user.click(row(/kofi_b/).getByRole('button', { name: press }));
    const panel = within(screen.getByTestId('confirm'));
    await user.paste(reason);
    await user.click(panel.getByRole('button', { name: press }));
    await settle();
  };
  await decide('Refuse', 'Both are one');
  expect(screen.getAllByTestId('hold')).toHaveLength(HOLDS.length - 1);
  await user.click(screen.getByRole('radio', { name: 'Refused' }));
  await settle();
  await decide('Take back', 'They are not');
  const decided = sdk.api.callsOf(at.decideHold).map(({ body }) => body);
  expect(decided).toEqual([
    { decision: 'refuse', reason: 'Both are one' },
    { decision: 'hold', reason: 'They are not' },
  ]);
  expect(screen.getByText('Nobody has decided this about a bonus.')).toBeDefined();
});
