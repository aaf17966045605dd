import { SAMPLE_NOW_MS, sampleUser } from '@cord/sdk/testing';
import { act } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShellOptions } from '../testing/test-shell';
import { writeLastSeen } from './last-seen';
import { AWAY_MS, awayOf, useAway } from './use-away';

const { id } = sampleUser();
const seen = (agoMs: number) => writeLastSeen({ userId: id, micro: 1n, atMs: SAMPLE_NOW_MS - agoMs, session: null });

function Page() {
  useAway();
  return null;
}

function open(options: TestShellOptions = {}) {
  const shell = createTestShell(options);
  const view = renderInShell(shell, <Page />);
  const look = (state: DocumentVisibilityState) =>
    act(async () => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      document.dispatchEvent(new Event('visibilitychange'));
    });
  return { ...view, look, away: () => awayOf(shell.sdk).get() };
}

it('a start more than an hour after the last visit is a return, with what was seen then', () => {
  seen(AWAY_MS + 1);
  expect(open().away()).toMatchObject({
    before: { atMs: SAMPLE_NOW_MS - AWAY_MS - 1, session: null },
    backMs: SAMPLE_NOW_MS,
  });
});

it.each([
  ['within the hour', AWAY_MS, {}],
  ['that the popup of a sign-in shows', 9 * AWAY_MS, { welcome: { isNewUser: false } as never }],
  ['to an account that this device has not seen', 9 * AWAY_MS, { user: sampleUser({ id: 'f'.repeat(32) }) }],
])('a return %s does not count', (_what, agoMs, options: TestShellOptions) => {
  seen(agoMs);
  expect(open(options).away()).toBeNull();
});

it('an open page counts as a return only after more than an hour out of view', async () => {
  const { look, away, shell } = open();
  seen(0);
  shell.sdk.clock.advance(AWAY_MS);
  await look('visible');
  expect(away()).toBeNull();
  shell.sdk.clock.advance(1);
  await look('visible');
  expect(away()?.backMs).toBe(SAMPLE_NOW_MS + AWAY_MS + 1);
});

it('the absence is deleted with the session', async () => {
  seen(9 * AWAY_MS);
  const { shell, away, look, unmount } = open();
  expect(away()).not.toBeNull();
  act(() => shell.sdk.session.signOut());
  expect(away()).toBeNull();
  await look('visible');
  expect(away()).toBeNull();
  unmount();
});
