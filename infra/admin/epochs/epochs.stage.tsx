import { screen, within } from '@testing-library/react';
import { text } from '../room/testing';

export const form = (name: string) => within(screen.getByRole('form', { name }));

/** The texts of a table's rows, without its head. */
export const rowsOf = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map(text);
