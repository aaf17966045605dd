import { SERVICES } from '@cord/contracts/endpoint';
import { TASKS_MAX } from '@cord/contracts/http/tasks';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { expect, test } from 'vitest';
import { CREDIT_TABLE, DAY_LIMITS } from './credit-table.js';

test.each(SERVICES)('the ledger accepts from %s exactly the credits that its manifest declares', (service) => {
  expect(CREDIT_TABLE[service]).toEqual(MANIFESTS[service].credits);
});

test('a user’s day has room for the tasks of a full catalogue and a week of late ones', () => {
  expect(DAY_LIMITS.task?.credits).toBeGreaterThanOrEqual(8 * TASKS_MAX);
});
