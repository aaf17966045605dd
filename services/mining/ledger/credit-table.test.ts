import { SERVICES } from '@cord/contracts/endpoint';
import { TASKS_MAX } from '@cord/contracts/http/tasks';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { expect, test } from 'vitest';
import { CREDIT_TABLE, DAY_LIMITS } from './credit-table.js';

test.each(SERVICES)('what the ledger takes of %s is what its manifest declares as credits', (service) => {
  expect(CREDIT_TABLE[service]).toEqual(MANIFESTS[service].credits);
});

test('a user’s day takes the tasks of a full catalogue, and those of a week before that come late', () => {
  expect(DAY_LIMITS.task?.credits).toBeGreaterThanOrEqual(8 * TASKS_MAX);
});
