import type { TestSdk } from '@cord/sdk/testing';
import { screen, within } from '@testing-library/react';
import { openRoom } from '../room/testing';
import { overviewSdk } from './overview.fixtures';

/** The view, with everything there that was requested. @param prepare what the server answers in another way */
export async function openOverview(prepare: (sdk: TestSdk) => void = () => undefined, sdk = overviewSdk()) {
  prepare(sdk);
  return openRoom(sdk);
}

/** The rows of a table as they read, cell by cell. */
export const tableOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join('|'));

/** What is not as usual. */
export const unusual = () => screen.getByTestId('unusual').textContent;

export const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
