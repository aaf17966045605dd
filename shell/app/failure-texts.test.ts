import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import * as userEndpoints from '@cord/contracts/addresses/users';
import { expect, test } from 'vitest';
import { failureText } from './failure-texts';

test.each([
  [miningEndpoints.start, 'Failed to start mining'],
  [miningEndpoints.current, 'Failed to get current session'],
  [miningEndpoints.end, 'Failed to end mining session'],
  [miningEndpoints.save, 'Failed to save mining progress'],
  [miningEndpoints.history, 'Failed to get mining history'],
  [userEndpoints.get, 'Failed to fetch user'],
  [userEndpoints.putSettings, 'Failed to update user settings'],
  [rewardEndpoints.createOrder, 'Failed to create badge purchase record'],
  [rewardEndpoints.solPrice, null],
])('a failed call has its text: %#', ({ id }, text) => {
  expect(failureText(id)).toBe(text);
});
