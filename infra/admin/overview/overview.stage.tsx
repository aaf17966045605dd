import type { TestSdk } from '@cord/sdk/testing';
import { screen, within } from '@testing-library/react';
import { openRoom } from '../room/testing';
import { overviewSdk } from './overview.fixtures';

/** Opens the view and waits until everything is loaded. @param prepare changes the server's responses */
export async function openOverview(prepare: (sdk: TestSdk) => void = () => undefined, sdk = overviewSdk()) {
  prepare(sdk);
  return openRoom(sdk);
}

/** The texts of a table, by row and cell. */
export const tableOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join('|'));

/** The text of the unusual states. */
export const unusual = () => screen.getByTestId('unusual').textContent;

export const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
