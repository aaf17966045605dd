import type { Endpoint } from '@cord/contracts/endpoint';
import { ENDPOINTS } from '@cord/contracts/http/index';
import { badInputFailures } from '@cord/kit/testing/bad-input';
import { storedAtRest, storedState } from '@cord/kit/testing/stored';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Fixture, startFixture } from './test/fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const ROUTES = ENDPOINTS.filter((endpoint) => endpoint.service === 'mining');

let mining: Fixture;
let url: string;
let token: string;
let params: Record<string, string>;
let before: string[];

beforeAll(async () => {
  mining = await startFixture();
  url = mining.replicas[0]?.url ?? '';
  const user = await mining.newUser(2);
  token = await mining.signer.sign(user.id, { nowMs: mining.clock.now() });
  params = { id: user.id, sessionId: (await user.start()).id };
  before = await storedAtRest(mining.backend.mongodbUri, mining.backend.dbName('mining'));
});
afterAll(() => mining?.close());

/** Numbers that clients send: taken, compared, never credited. */
const body = ({ id }: Endpoint) => (id === 'mining.save' ? { earningsToAdd: 1, miningRate: 1 } : {});

describe('every route of mining', () => {
  test.each(ROUTES.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s refuses every bad input, and writes nothing',
    async (_, endpoint) => {
      expect(await badInputFailures(url, endpoint, { params, body: body(endpoint), token })).toEqual([]);
      expect(await storedState(mining.backend.mongodbUri, mining.backend.dbName('mining'))).toEqual(before);
    },
  );
});
