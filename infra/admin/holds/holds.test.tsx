import { at } from '@cord/sdk/testing';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, testsOfView } from '../room/testing';
import { HOLDS, holdsSdk } from './holds.fixtures';

testsOfView('holds');

test('a hold shows amount and cause; it is refused with a reason, and the decision can be undone', async () => {
  const sdk = holdsSdk();
  const { user } = await openRoom(sdk);
  expect(screen.getAllByTestId('hold').map(({ textContent }) => textContent)).toEqual(
    [
      'kofi_b, friend of Mara OkaforHeld since 19 Nov, 09:03 UTC · Shared address, level 2 · Node ran 2 d 4 h · Paid so far 0.00 CORD86 CORD for the friend38.39 CORD commission',
      'finn.h, friend of Mara OkaforHeld since 21 Nov, 08:03 UTC · First hour at an address of the referrer · Node ran 20 min · Paid so far 0.00 CORD86 CORD for the friend',
      'e_harbour, friend of harbour_77Held since 21 Nov, 09:03 UTC · Shared address, level 2 · Node ran 2 d 4 h · Paid so far 86.00 CORD212.50 CORD commission',
      'gus, friend of Mara OkaforHeld since 21 Nov, 10:03 UTC · First hour at an address of the referrer · Node ran 2 d 4 h · Paid so far 0.00 CORDNothing is on hold now',
    ].map((text) => `${text}ReleaseRefuse`),
  );
  expect(screen.getByText('Longest held first.')).toBeDefined();
  const row = (name: RegExp) => {
    const found = screen.getAllByTestId('hold').find((each) => name.test(each.textContent ?? ''));
    return within(found as HTMLElement);
  };
  const decide = async (press: string, change: string, reason: string) => {
    await user.click(row(/kofi_b/).getByRole('button', { name: `${press}, kofi_b` }));
    const panel = within(screen.getByTestId('confirm'));
    expect(panel.getByText('State').nextElementSibling?.textContent).toBe(change);
    await user.paste(reason);
    await user.click(panel.getByRole('button', { name: press }));
  };
  await decide('Refuse', 'before: Heldafter: Refused', 'Both are one');
  expect(screen.getAllByTestId('hold')).toHaveLength(HOLDS.length - 1);
  await user.click(screen.getByRole('radio', { name: 'Refused' }));
  expect(row(/kofi_b/).getByText(/^Refused 21 Nov, 11:03 UTC/)).toBeDefined();
  expect(screen.getByText('Latest decision first.')).toBeDefined();
  await decide('Undo decision', 'before: Refusedafter: Held', 'They are not');
  const decided = sdk.api.callsOf(at.referrals.decideHold).map(({ body }) => body);
  expect(decided).toEqual([
    { decision: 'refuse', reason: 'Both are one' },
    { decision: 'hold', reason: 'They are not' },
  ]);
  expect(sdk.shown.map(({ title }) => title)).toEqual([
    'Refused for Mara Okafor.',
    'The network check decides again about kofi_b.',
  ]);
  expect(screen.getByText('No bonus has this decision.')).toBeDefined();
});
