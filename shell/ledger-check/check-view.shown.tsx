import * as miningEndpoints from '@cord/contracts/addresses/mining';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { renderInShell } from '../testing/render';
import { CheckView } from './check-view';
import { ACCOUNT, laterEntries, type Stage, stage } from './check-view.stage';
import { checkToday } from './daily';

/** Renders the view over a stage, with a function that presses the check button. */
export function show(made: Stage = stage()) {
  const view = renderInShell(
    made.shell,
    <CheckView view={{ open: () => undefined, close: () => undefined }} engine={made.engine} />,
  );
  const check = () => view.user.click(screen.getByRole('button', { name: /^Check (now|again)$/ }));
  return { ...made, ...view, check };
}

/** Waits for a finding that assistive technology announces. */
export const alerted = async (title: string) => {
  await screen.findByText(title);
  expect(screen.getAllByRole('alert').some((each) => each.textContent?.includes(title))).toBe(true);
};

/** Adds ledger entries that are in no root yet. */
export const withLater = (made: Stage, more: number) => {
  made.shell.sdk.api.on(miningEndpoints.ledger, { entries: laterEntries(24, more), open: 0, nextCursor: null });
  return made;
};

/** Runs the daily check over a stage. */
export const daily = ({ shell, engine }: Stage) =>
  checkToday(shell.sdk, ACCOUNT, { ...engine, signal: new AbortController().signal });
