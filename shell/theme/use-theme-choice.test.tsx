import { refreshUser } from '@cord/sdk';
import { at, problem, sampleUser } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { createAppearance, type Theme } from './theme';
import { useThemeChoice } from './use-theme-choice';

const user = sampleUser({ theme: 'system' });
const root = document.documentElement;

function Choice() {
  const { choose } = useThemeChoice();
  return (['dark', 'light'] as const).map((theme) => (
    <button key={theme} type="button" onClick={() => choose(theme)}>
      {theme}
    </button>
  ));
}

/** Renders a page whose saves wait for the test's responses, and records all its themes. */
async function show() {
  const shell = createTestShell({ user });
  const { sdk } = shell;
  shell.appearance = createAppearance(document, localStorage);
  // As in create-shell.ts.
  const follow = (theme: Theme) => shell.appearance.follow(user.id, theme);
  follow(user.theme);
  sdk.session.state.listen(({ user: now }) => now && follow(now.theme));
  const answers: ((how?: Error) => void)[] = [];
  sdk.api.on(
    at.users.update,
    ({ body }) =>
      new Promise((resolve, reject) => {
        answers.push((error) => (error ? reject(error) : resolve({ ...user, ...(body as object) } as never)));
      }),
  );
  const seen: Theme[] = [];
  shell.appearance.theme.listen((theme) => void seen.push(theme));
  const { user: person } = renderInShell(shell, <Choice />);
  const answer = async (nth: number, error?: Error) => {
    await waitFor(() => expect(answers).toHaveLength(nth));
    await act(async () => answers[nth - 1]?.(error));
  };
  const settled = () => waitFor(() => expect(sdk.queries.isMutating()).toBe(0));
  return { shell, sdk, seen, answer, settled, press: (theme: Theme) => person.click(screen.getByText(theme)) };
}

it.each([
  ['both saved', undefined],
  ['the second refused', problem(429, 'Too many requests')],
])('of two quick presses, the last choice is shown throughout: %s', async (_how, error) => {
  const { seen, answer, press, settled, sdk } = await show();
  await press('dark');
  await press('light');
  // The live stream arrives before the response.
  act(() => sdk.session.merge({ id: user.id, theme: 'dark' }));
  await answer(1);
  await answer(2, error);
  await settled();
  act(() => sdk.session.merge({ id: user.id, theme: error ? 'dark' : 'light' }));
  expect(seen).toEqual(['dark', 'light']);
  expect([root.dataset.theme, document.cookie]).toEqual(['light', expect.stringContaining('cord-theme=light')]);
});

it.each([
  ['saved', undefined, 'dark'],
  ['refused', problem(429, 'Too many requests'), 'system'],
])('a change on another device applies after a choice that was %s', async (_how, error, stored) => {
  const { seen, answer, press, settled, sdk } = await show();
  await press('dark');
  await answer(1, error);
  await settled();
  act(() => sdk.session.merge({ id: user.id, theme: stored as Theme }));
  expect(seen).toEqual(['dark']);
  act(() => sdk.session.merge({ id: user.id, theme: 'light' }));
  expect(seen).toEqual(['dark', 'light']);
  if (!error) return;
  await press('dark');
  act(() => sdk.session.merge({ id: user.id, theme: 'system' }));
  expect(seen).toEqual(['dark', 'light', 'dark', 'system']);
});

it('a record read before the save and received after it changes nothing', async () => {
  const { seen, answer, press, settled, sdk } = await show();
  let read: () => void = () => undefined;
  sdk.api.on(
    at.users.get,
    () =>
      new Promise((resolve) => {
        read = () => resolve(user as never);
      }),
  );
  const record = refreshUser(sdk);
  await press('dark');
  await answer(1);
  await settled();
  read();
  await act(() => record);
  expect(seen).toEqual(['dark']);
  expect(sdk.session.state.get().user?.theme).toBe('dark');
});
