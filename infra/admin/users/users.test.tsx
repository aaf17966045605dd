import { at } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { testsOfView, text } from '../room/testing';
import { HARBOUR_ID, USERS, usersSdk } from './users.fixtures';
import { openUsers } from './users.stage';

testsOfView('users');

test('accounts are searched by the server; keys move through the rows, and a row opens its account', async () => {
  const { user, sdk } = await openUsers(usersSdk());
  expect(screen.getAllByRole('row').map(text)).toEqual([
    'NameIDAgeJoinedLast sign-inNetwork',
    'harbour_776f1d…00009.1 y13 Aug 202621 Nov, 08:03Level 2, ×0.5',
    'harbourlightbbbb…bbbb9.1 y13 Aug 202621 Nov, 08:03Never checked',
    'ines.opsOperatorcccc…cccc9.1 y13 Aug 202621 Nov, 08:03Clean',
  ]);
  await user.keyboard('/');
  await user.keyboard('harb');
  await settle(400);
  expect(sdk.api.callsOf(at.admin.users).at(-1)?.query).toEqual({ limit: '25', search: 'harb' });
  expect(screen.getByText('2 found')).toBeDefined();
  const [, first, second] = screen.getAllByRole('row');
  expect(first?.textContent).toContain('Level 2, ×0.5');
  expect(second?.textContent).toContain('Never checked');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('jjjk');
  expect(document.activeElement?.textContent).toBe('harbour_77');
  await user.keyboard('{Enter}');
  expect(sdk.tabs.params.get().admin?.user).toBe(HARBOUR_ID);
  expect(document.activeElement).toBe(screen.getByTestId('account'));
  await user.type(screen.getByRole('searchbox'), 'our');
  await settle(400);
  expect(sdk.tabs.params.get().admin).toMatchObject({ name: 'harbour' });
  expect(sdk.tabs.params.get().admin?.user).toBeUndefined();
});

test('the number of results is shown on the first page only', async () => {
  const sdk = usersSdk();
  sdk.api.on(at.admin.users, ({ query }) => ({
    users: USERS.slice(0, query?.cursor ? 1 : 2),
    nextCursor: query?.cursor ? null : '2',
  }));
  const { user } = await openUsers(sdk);
  await user.type(screen.getByRole('searchbox'), 'harb');
  await settle(400);
  expect(screen.getByText('2 or more')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Next accounts' }));
  expect(screen.getAllByRole('row')).toHaveLength(2);
  expect(screen.queryByText(/found|or more/)).toBeNull();
});
