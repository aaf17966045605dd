// @vitest-environment jsdom
import { act, cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { PUBLISHED, testRegistry } from '../testing/registry';
import { createTestShell, InShell } from '../testing/test-shell';
import { ReloadNotice } from './reload-notice';

afterEach(cleanup);

/** A page of the build `a`, and a registry that says what a test has it say. */
function show() {
  const said = { version: 1, shell: '1.0.0-a' };
  const answer = async () => Response.json({ ...PUBLISHED, shell: said.shell, version: String(said.version) });
  const registry = testRegistry({ ...PUBLISHED, shell: said.shell }, answer);
  const shell = createTestShell({ registry });
  renderWithSdk(
    <InShell shell={shell}>
      <ReloadNotice running="1.0.0-a" />
    </InShell>,
    shell.sdk,
  );
  const publish = (build: string) => {
    said.shell = `1.0.0-${build}`;
    said.version += 1;
    return act(() => registry.find('mfe_tasks', { fresh: true }));
  };
  const visit = (tab: string) => act(async () => shell.sdk.tabs.current.set(tab));
  return { publish, visit };
}

it('a new shell is offered at the next change of tab, not sooner, and not when it has been taken back', async () => {
  const { publish, visit } = show();
  await visit('tasks');
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  await publish('b');
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  await visit('settings');
  expect(screen.getByTestId('reload-notice').textContent).toContain('A new version of CORD is here.');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  await publish('a');
  expect(screen.queryByTestId('reload-notice')).toBeNull();
});
