import { sampleUser } from '@cord/sdk/testing';
import { cleanup } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { testRegistry } from '../testing/registry';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';
import { PartSkeleton } from './part-skeleton';
import { Place } from './place';

function show(ui: ReactNode, options: TestShellOptions = {}) {
  const shell = createTestShell(options);
  return renderInShell(shell, ui);
}

const parts = { mining: { 'node-aside': () => <p>online</p> } };

it('a place beside a tab shows the part of that tab’s module', async () => {
  const { container } = show(<Place name="tab.aside" of="mfe_tasks" />, { parts });
  expect(container.textContent).toBe('');
  cleanup();
  show(<Place name="tab.aside" of="mfe_mining" />, { parts });
  expect(await screen.findByText('online')).toBeTruthy();
});

it('a fallback is shown without a part, without a registry, and until the part is loaded', async () => {
  const title = (options: TestShellOptions) =>
    show(<Place name="ledger.task" instead="in English" />, options).container;
  const tasks = { 'ledger-title': () => <span>auf Deutsch</span> };
  expect(title({ registry: testRegistry(null), parts: { tasks } }).textContent).toBe('in English');
  cleanup();
  expect(title({}).textContent).toBe('in English');
  cleanup();
  expect(title({ parts: { tasks } }).textContent).toBe('in English');
  expect(await screen.findByText('auf Deutsch')).toBeTruthy();
});

it('space is reserved from the first frame, unless a field of the record is true', () => {
  const room = (comp_claim: boolean | null) =>
    show(<PartSkeleton name="mining/compensation" />, { user: sampleUser({ comp_claim }) }).container.childElementCount;
  expect([room(false), room(null), room(true)]).toEqual([1, 1, 0]);
});

it('the reserved space of a cell has its label at once', () => {
  show(<PartSkeleton name="leaderboard/away-rank" />);
  expect(screen.getByText('Rank')).toBeTruthy();
});
