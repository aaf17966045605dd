import type { Endpoint, ServiceName } from '@cord/contracts/endpoint';
import { ENDPOINTS } from '@cord/contracts/http/index';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import type { ServiceDefinition } from '../service.js';
import type { TestBackend } from './backend.js';
import { badInputFailures, type GoodCall } from './bad-input.js';
import { call } from './call.js';
import { startFixture } from './fixture.js';
import { forAllTests } from './lifetimes.js';
import { PATIENCE_MS } from './patience.js';
import { randomId } from './signer.js';
import { storedAtRest, storedState } from './stored.js';

/** A running service, and a call of each of its routes that would be taken. */
interface BadInputTarget {
  url: string;
  backend: Pick<TestBackend, 'mongodbUri' | 'dbName'>;
  goodCall(endpoint: Endpoint): GoodCall;
  stop(): Promise<void>;
}

interface BadInputOptions {
  /** Ids of routes that are judged elsewhere. */
  leftOut?: readonly string[];
  /** Collections that every signed-in request writes to. */
  noted?: string[];
}

/** Promises, as one test for each route of the service, that it refuses every bad input and writes nothing. */
export function everyRouteRefusesBadInput(
  service: ServiceName,
  start: () => Promise<BadInputTarget>,
  { leftOut = [], noted = [] }: BadInputOptions = {},
): void {
  const routes = ENDPOINTS.filter((endpoint) => endpoint.service === service && !leftOut.includes(endpoint.id));
  const target = forAllTests(start);
  let before: string[];
  const place = () => [target.backend.mongodbUri, target.backend.dbName(service), noted] as const;

  beforeAll(async () => {
    before = await storedAtRest(...place());
  });

  describe(`every route of ${service}`, () => {
    test.each(routes.map((endpoint) => [endpoint.id, endpoint] as const))(
      '%s refuses every bad input, and writes nothing',
      async (_, endpoint) => {
        const failures = await badInputFailures(target.url, endpoint, target.goodCall(endpoint));
        expect(failures).toEqual([]);
        expect(await storedState(...place())).toEqual(before);
      },
    );
  });
}

interface AdminAlone<S extends z.ZodObject> {
  definition: ServiceDefinition<S>;
  nowMs: number;
  /** A call that only an admin gets this status of: then the role has arrived. */
  arrived: { id: string; status: number; params?: Record<string, string> };
  goodCall(endpoint: Endpoint, userId: string): Omit<GoodCall, 'token'>;
}

/** One service alone, called by an admin. */
export async function startForAdmin<S extends z.ZodObject>({
  definition,
  nowMs,
  arrived,
  goodCall,
}: AdminAlone<S>): Promise<BadInputTarget> {
  const alone = await startFixture(definition, nowMs);
  const userId = randomId();
  await alone.signer.state.setRoles(userId, ['admin']);
  const token = await alone.tokenOf(userId);
  const probe = ENDPOINTS.find(({ id }) => id === arrived.id);
  if (!probe) throw new TypeError(`no route is called ${arrived.id}`);
  const params = { id: userId, userId, ...arrived.params };
  await vi.waitFor(
    async () => expect((await call(alone.url, probe, { params, token })).status).toBe(arrived.status),
    PATIENCE_MS,
  );
  return {
    url: alone.url,
    backend: alone.backend,
    goodCall: (endpoint) => ({ ...goodCall(endpoint, userId), token }),
    stop: alone.stop,
  };
}
