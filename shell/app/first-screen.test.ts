import type { User } from '@cord/contracts/http/users';
import { createTestSdk, sampleUser } from '@cord/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { testRegistry } from '../testing/registry';
import { requestFirstScreen } from './first-screen';

/** Starts the page on this tab; without a user the session is still being read. */
function start(tab: 'dashboard' | 'tasks', user: User | null = null) {
  const sdk = createTestSdk({ user });
  sdk.tabs.current.set(tab);
  const load = vi.fn(async (_name: string) => () => null);
  requestFirstScreen(sdk, { load }, testRegistry());
  return { sdk, called: () => sdk.api.calls.map(({ id }) => id), loaded: () => load.mock.calls.map(([name]) => name) };
}

describe('the early requests of the dashboard', () => {
  it('load its parts while the session is read, except those that depend on a field of the record', () => {
    const { called, loaded } = start('dashboard');
    expect(loaded()).toContain('mining/node-card');
    expect(loaded()).not.toContain('wallet/claim-banner');
    expect(called()).toEqual([]);
  });

  it('call each endpoint once when the user is known', () => {
    const { sdk, called } = start('dashboard');
    sdk.session.signIn(sampleUser());
    sdk.session.merge({ id: sampleUser().id, theme: 'dark' });
    expect(called().toSorted()).toEqual([
      'epochs.current',
      'mining.current',
      'mining.rate',
      'rules.list',
      'stats.global',
    ]);
  });

  it('call the endpoints at once if the user is known before the code is loaded', () => {
    expect(start('dashboard', sampleUser()).called()).toHaveLength(5);
  });

  it('load and call nothing if another tab is opened', () => {
    const { sdk, called, loaded } = start('tasks');
    sdk.session.signIn(sampleUser());
    expect([called(), loaded()]).toEqual([[], []]);
  });
});
