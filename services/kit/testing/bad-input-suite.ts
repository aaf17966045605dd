import type { Endpoint, ServiceName } from '@cord/contracts/endpoint';
import { ENDPOINTS } from '@cord/contracts/http/index';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ServiceDefinition } from '../service.js';
import type { TestBackend } from './backend.js';
import { badInputFailures, type GoodCall } from './bad-input.js';
import { startFixture } from './fixture.js';
import { forAllTests } from './lifetimes.js';
import { storedAtRest, storedState } from './stored.js';

/** A running service, and a valid call of each of its routes. */
interface BadInputTarget {
  url: string;
  backend: Pick<TestBackend, 'storeOf'>;
  goodCall(endpoint: Endpoint): GoodCall;
  stop(): Promise<void>;
}

interface BadInputOptions {
  /** Ids of routes tested elsewhere. */
  leftOut?: readonly string[];
  /** Collections that every signed-in request writes to. */
  noted?: string[];
}

/** Declares one test per route of the service: it rejects every bad input and writes nothing. */
export function testBadInput(
  service: ServiceName,
  start: () => Promise<BadInputTarget>,
  { leftOut = [], noted = [] }: BadInputOptions = {},
): void {
  const routes = ENDPOINTS.filter((endpoint) => endpoint.service === service && !leftOut.includes(endpoint.id));
  const target = forAllTests(start);
  let before: string[];
  const place = () => [target.backend, service, noted] as const;

  beforeAll(async () => {
    before = await storedAtRest(...place());
  });

  describe(`every route of ${service}`, () => {
    test.each(routes.map((endpoint) => [endpoint.id, endpoint] as const))(
      '%s rejects every bad input, and writes nothing',
      async (_, endpoint) => {
        const failures = await badInputFailures(target.url, endpoint, target.goodCall(endpoint));
        expect(failures).toEqual([]);
        expect(await storedState(...place())).toEqual(before);
      },
    );
  });
}

const NOON_MS = Date.UTC(2026, 10, 18, 12);

/** Starts one service alone, with an admin as caller. */
export async function startForAdmin<S extends z.ZodObject>(
  definition: ServiceDefinition<S>,
  goodCall: (endpoint: Endpoint, userId: string) => Omit<GoodCall, 'token'>,
): Promise<BadInputTarget> {
  const alone = await startFixture(definition, NOON_MS);
  const userId = await alone.signer.state.newOperator();
  const token = await alone.tokenOf(userId);
  return {
    url: alone.url,
    backend: alone.backend,
    goodCall: (endpoint) => ({ ...goodCall(endpoint, userId), token }),
    stop: alone.stop,
  };
}
