import { SERVICES } from '@cord/contracts/endpoint';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { expect, test } from 'vitest';
import { CREDIT_TABLE } from './credit-table.js';

test.each(SERVICES)('what the ledger takes of %s is what its manifest declares as credits', (service) => {
  expect(CREDIT_TABLE[service]).toEqual(MANIFESTS[service].credits);
});
