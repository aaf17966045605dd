import { at, createTestSdk } from '@cord/sdk/testing';
import { act, inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { expect, it, vi } from 'vitest';
import { useLedgerCheck } from './use-ledger-check';

inFakeTime();

const QUIET_MS = 3_000;
/** Wait after a failed check, ms. */
const AGAIN_MS = 600_000;

function Page() {
  useLedgerCheck();
  return null;
}

function open() {
  const sdk = createTestSdk();
  const view = renderWithSdk(<Page />, sdk);
  const checks = () => sdk.api.callsOf(at.log.keys).length;
  const show = async (state: DocumentVisibilityState) => {
    act(() => sdk.clock.advance(AGAIN_MS));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    return checks();
  };
  return { sdk, checks, show, ...view };
}

it('checks once the page is quiet, and when it becomes visible, but only in the leading tab', async () => {
  const { sdk, checks, show } = open();
  await settle(QUIET_MS - 100);
  expect(checks()).toBe(0);
  await settle(100);
  expect(checks()).toBe(1);
  expect(await show('hidden')).toBe(1);
  sdk.live.leading.set(false);
  expect(await show('visible')).toBe(1);
  sdk.live.leading.set(true);
  expect(await show('visible')).toBe(2);
});

it('checks no more after the sign-out', async () => {
  const { sdk, show } = open();
  act(() => sdk.session.signOut());
  await settle(QUIET_MS);
  expect(await show('visible')).toBe(0);
});
