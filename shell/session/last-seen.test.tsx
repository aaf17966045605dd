// @vitest-environment jsdom
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import { createTestSdk, sampleUser } from '@cord/sdk/testing';
import { cleanup, renderWithSdk } from '@cord/sdk/testing/render';
import { afterEach, expect, it } from 'vitest';
import { readLastSeen, useKeepLastSeen } from './last-seen';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const { id } = sampleUser();

function Page() {
  useKeepLastSeen();
  return null;
}

function open() {
  const sdk = createTestSdk();
  sdk.api.on(miningEndpoints.current, null);
  return { sdk, ...renderWithSdk(<Page />, sdk) };
}

it('what was shown when the page was left is known at the next visit', () => {
  open();
  expect(readLastSeen(id)).toBeNull();
  window.dispatchEvent(new Event('pagehide'));
  expect(readLastSeen(id)?.micro).toBe(48_213_570_000n);
});

it('a sign-out leaves the last number, not the nothing that follows it', () => {
  const { sdk, unmount } = open();
  sdk.session.signOut();
  unmount();
  expect(readLastSeen(id)?.micro).toBe(48_213_570_000n);
});

it.each(['', 'null', '{', '{"userId":1}', JSON.stringify({ userId: id, micro: 'x', atMs: 1 })])(
  'what somebody else wrote there (%s) is nothing',
  (text) => {
    localStorage.setItem('cord.last-seen', text);
    expect(readLastSeen(id)).toBeNull();
  },
);
