import { renderWithSdk } from '@cord/sdk/testing/render';
import type { ReactNode } from 'react';
import { InShell, type TestShell } from './test-shell';

/** Renders in a shell. @returns the shell and the result of `renderWithSdk` */
export function renderInShell(shell: TestShell, ui: ReactNode) {
  return { shell, ...renderWithSdk(<InShell shell={shell}>{ui}</InShell>, shell.sdk) };
}
