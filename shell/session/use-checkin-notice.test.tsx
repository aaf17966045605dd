// @vitest-environment jsdom
import * as userEndpoints from '@cord/contracts/addresses/users';
import { createTestSdk, sampleUser } from '@cord/sdk/testing';
import { act, cleanup, renderWithSdk, settled } from '@cord/sdk/testing/render';
import { afterEach, expect, it } from 'vitest';
import { useCheckinNotice } from './use-checkin-notice';

afterEach(cleanup);

function Page() {
  useCheckinNotice();
  return null;
}

async function open({ notifications = true, claimed = true } = {}) {
  const sdk = createTestSdk({ user: sampleUser({ daily_checkin_claimed: claimed }) });
  sdk.api.on(userEndpoints.getSettings, { autoStart: false, notifications });
  renderWithSdk(<Page />, sdk);
  await settled(sdk);
  const newDay = () => act(async () => sdk.session.merge({ id: sampleUser().id, daily_checkin_claimed: false }));
  return { sdk, newDay };
}

it('tells that a check-in is due once a new day has begun; at the start of the page it stands in sight', async () => {
  expect((await open({ claimed: false })).sdk.shown).toEqual([]);
  cleanup();
  const { sdk, newDay } = await open();
  await newDay();
  expect(sdk.shown).toMatchObject([{ title: 'Your check-in is due', text: 'A check-in today keeps your streak.' }]);
});

it('tells nothing to who has not set it so', async () => {
  const { sdk, newDay } = await open({ notifications: false });
  await newDay();
  expect(sdk.shown).toEqual([]);
});
