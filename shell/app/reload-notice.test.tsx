// @vitest-environment jsdom
import { useDraft } from '@cord/sdk';
import { act, cleanup } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PUBLISHED, testRegistry } from '../testing/registry';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { ReloadNotice } from './reload-notice';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** A form as those of the pages: what is typed into it is a draft. */
function Letter() {
  const { typed, type } = useDraft('letter', EMPTY);
  return <input aria-label="Letter" value={typed.text} onChange={({ target }) => type({ text: target.value })} />;
}
const EMPTY = { text: '' };

/** A page of the build `a`, and a registry that shows what a test has it show. */
function show() {
  const answered = { version: 1, shell: '1.0.0-a' };
  const answer = async () => Response.json({ ...PUBLISHED, shell: answered.shell, version: String(answered.version) });
  const registry = testRegistry({ ...PUBLISHED, shell: answered.shell }, answer);
  const shell = createTestShell({ registry });
  const { user } = renderInShell(
    shell,
    <>
      <ReloadNotice running="1.0.0-a" />
      <Letter />
    </>,
  );
  const publish = (build: string) => {
    answered.shell = `1.0.0-${build}`;
    answered.version += 1;
    return act(() => registry.find('mfe_tasks', { fresh: true }));
  };
  const visit = (tab: string) => act(async () => shell.sdk.tabs.current.set(tab));
  return { user, publish, visit };
}

it('a new shell is offered at the next change of tab, not sooner, and not when it has been taken back', async () => {
  const { publish, visit } = show();
  await visit('tasks');
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  await publish('b');
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  await visit('settings');
  expect(screen.getByTestId('reload-notice').textContent).toContain(
    'A new version of CORD is here. Your node keeps running. Filter, search and place stay as they are.',
  );
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  await publish('a');
  expect(screen.queryByTestId('reload-notice')).toBeNull();
});

it('what was typed is no less there for the offer, nor after the reload, which nothing but a press begins', async () => {
  const letter = () => screen.getByLabelText<HTMLInputElement>('Letter').value;
  const { user, publish, visit } = show();
  await user.type(screen.getByLabelText('Letter'), 'half a word');
  await publish('b');
  await visit('tasks');
  expect(screen.getByTestId('reload-notice')).toBeTruthy();
  expect(letter()).toBe('half a word');
  cleanup();
  show();
  expect(letter()).toBe('half a word');
});

it('put off it is offered again at a change of tab an hour later', async () => {
  const nowMs = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  const { user, publish, visit } = show();
  await publish('b');
  await visit('tasks');
  await user.click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  nowMs.mockReturnValue(3_604_999);
  await visit('settings');
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  nowMs.mockReturnValue(3_605_000);
  await visit('tasks');
  expect(screen.getByTestId('reload-notice')).toBeTruthy();
});
