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

describe('what the dashboard begins with is requested before it is drawn', () => {
  it('its parts while the session is read, but those that a field of the record decides on', () => {
    const { called, loaded } = start('dashboard');
    expect(loaded()).toContain('mining/node-card');
    expect(loaded()).not.toContain('wallet/claim-banner');
    expect(called()).toEqual([]);
  });

  it('its answers once it is known whose they are, one call for each', () => {
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

  it('its answers at once where that is known before its code has come', () => {
    expect(start('dashboard', sampleUser()).called()).toHaveLength(5);
  });

  it('and nothing of it where a start opens another tab', () => {
    const { sdk, called, loaded } = start('tasks');
    sdk.session.signIn(sampleUser());
    expect([called(), loaded()]).toEqual([[], []]);
  });
});
