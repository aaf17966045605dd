import { at, sampleCheck, sampleSettings, type TestSdkOptions } from '@cord/sdk/testing';
import { renderInShell } from '../testing/render';
import { createTestShell } from '../testing/test-shell';
import { Settings } from './settings';

export const AT = '2026-11-21T11:00:00.000Z';
export const session = (id: string, current: boolean) => ({
  id,
  current,
  createdAt: AT,
  lastSeenAt: AT,
  expiresAt: '2026-11-28T11:00:00.000Z',
  device: current ? 'Chromium on Linux' : 'Safari on iPhone',
});
export const HERE = session('a'.repeat(32), true);
export const THERE = session('b'.repeat(32), false);

type Api = ReturnType<typeof createTestShell>['sdk']['api'];

/** Renders the settings with data of a server. @param parts of modules @param prepare changes the server's responses */
export function show(
  parts: NonNullable<TestSdkOptions['parts']> = {},
  sessions = [HERE, THERE],
  prepare: (api: Api) => void = () => undefined,
) {
  const shell = createTestShell({ parts });
  shell.sdk.api
    .on(at.mining.current, null)
    .on(at.support.anticheat, sampleCheck())
    .on(at.support.mine, [])
    .on(at.users.getSettings, sampleSettings())
    .on(at.auth.sessions, sessions);
  prepare(shell.sdk.api);
  return renderInShell(shell, <Settings />);
}
