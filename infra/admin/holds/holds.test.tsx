import { at } from '@cord/sdk/testing';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { HOLDS, holdsSdk } from './holds.fixtures';

testsOfView('holds');

test('what is held shows how much and why; it is refused for a reason, and that is taken back', async () => {
  const sdk = holdsSdk();
  const { user } = await openRoom(sdk);
  expect(screen.getAllByTestId('hold')).toHaveLength(HOLDS.length);
  const row = (name: RegExp) => {
    const found = screen.getAllByTestId('hold').find((each) => name.test(each.textContent ?? ''));
    return within(found as HTMLElement);
  };
  expect(row(/kofi_b/).getByText('86 CORD for the friend')).toBeDefined();
  expect(row(/kofi_b/).getByText(/Shared address, level 2/)).toBeDefined();
  expect(row(/finn\.h/).getByText(/First hour at an address of the referrer/)).toBeDefined();
  const decide = async (press: string, reason: string) => {
    await user.click(row(/kofi_b/).getByRole('button', { name: `${press}, kofi_b` }));
    const panel = within(screen.getByTestId('confirm'));
    await user.paste(reason);
    await user.click(panel.getByRole('button', { name: press }));
  };
  await decide('Refuse', 'Both are one');
  expect(screen.getAllByTestId('hold')).toHaveLength(HOLDS.length - 1);
  await user.click(screen.getByRole('radio', { name: 'Refused' }));
  await decide('Undo decision', 'They are not');
  const decided = sdk.api.callsOf(at.referrals.decideHold).map(({ body }) => body);
  expect(decided).toEqual([
    { decision: 'refuse', reason: 'Both are one' },
    { decision: 'hold', reason: 'They are not' },
  ]);
  expect(screen.getByText('No bonus has this decision.')).toBeDefined();
});
