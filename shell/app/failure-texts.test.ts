import { at } from '@cord/sdk/testing';
import { expect, test } from 'vitest';
import { failureText } from './failure-texts';

test.each([
  [at.mining.start, 'Failed to start mining'],
  [at.mining.current, 'Failed to get current session'],
  [at.mining.end, 'Failed to end mining session'],
  [at.mining.save, 'Failed to save mining progress'],
  [at.mining.history, 'Failed to get mining history'],
  [at.users.get, 'Failed to fetch user'],
  [at.users.putSettings, 'Failed to update user settings'],
  [at.rewards.createOrder, 'Failed to create badge purchase record'],
  [at.rewards.solPrice, null],
])('the text of a failed call: %#', ({ id }, text) => {
  expect(failureText(id)).toBe(text);
});
