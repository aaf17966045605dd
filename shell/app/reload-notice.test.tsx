import { useDraft } from '@cord/sdk';
import { act, advance, backInReach, cleanup, outOfReach } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PUBLISHED, testRegistry } from '../testing/registry';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { ReloadNotice } from './reload-notice';

/** A form of a page, whose input is a draft. */
function Letter() {
  const { typed, type } = useDraft('letter', EMPTY);
  return <input aria-label="Letter" value={typed.text} onChange={({ target }) => type({ text: target.value })} />;
}
const EMPTY = { text: '' };

/** Renders a page of build `a`, with a registry that the test controls. */
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
  return { sdk: shell.sdk, user, publish };
}

it('a new shell is offered as soon as it is published, and the offer disappears when it is rolled back', async () => {
  const { publish } = show();
  const announced = screen.getByRole('status');
  expect(announced.textContent).toBe('');
  await publish('b');
  expect(announced.textContent).toContain(
    'A new version of CORD is here. Your node keeps running. Filter, search and place stay as they are.',
  );
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  await publish('a');
  expect(announced.textContent).toBe('');
});

it('typed text stays when the offer appears, and is restored after a reload', async () => {
  const letter = () => screen.getByLabelText<HTMLInputElement>('Letter').value;
  const { user, publish } = show();
  await user.type(screen.getByLabelText('Letter'), 'half a word');
  await publish('b');
  expect(screen.getByTestId('reload-notice')).toBeTruthy();
  expect(letter()).toBe('half a word');
  cleanup();
  show();
  expect(letter()).toBe('half a word');
});

it('Later hides the offer for an hour, then it appears again', async () => {
  const { sdk, user, publish } = show();
  await publish('b');
  await user.click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  await advance(sdk, 3_599_999);
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  await advance(sdk, 1);
  expect(screen.getByTestId('reload-notice')).toBeTruthy();
});

it('while the server is unreachable the offer is hidden', async () => {
  const { sdk, publish } = show();
  await publish('b');
  await outOfReach(sdk);
  expect(screen.queryByTestId('reload-notice')).toBeNull();
  await backInReach(sdk);
  expect(screen.getByTestId('reload-notice')).toBeTruthy();
});

it('an unknown version of the shell is not offered', () => {
  renderInShell(createTestShell({ registry: testRegistry(PUBLISHED) }), <ReloadNotice running="1.0.0-a" />);
  expect(screen.getByRole('status').textContent).toBe('');
});
