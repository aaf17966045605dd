import type { TestSdk } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { openRoom } from '../room/testing';

/** Opens the view and waits until everything is loaded. */
export async function openUsers(sdk: TestSdk) {
  const view = await openRoom(sdk);
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  await settle();
  return view;
}

/** Queries within the page of an account. */
export const account = () => within(screen.getByTestId('account'));
export const buttons = () =>
  account()
    .getAllByRole('button')
    .map((button) => button.textContent);
