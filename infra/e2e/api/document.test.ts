import { ENDPOINTS } from '@cord/contracts/http/index';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { call, makeAdmin, type Signed, signInByBearer } from './client.js';
import { EXAMPLES } from './examples.js';

const origin = inject('origin');
type Operation = { operationId: string; responses: Record<string, { content?: Record<string, { schema: object }> }> };
let operations: Map<string, Operation>;
let admin: Signed;

beforeAll(async () => {
  const { body } = await call({ origin }, { method: 'GET', path: '/openapi.json' });
  const { paths } = body as { paths: Record<string, Record<string, Operation>> };
  operations = new Map(
    Object.values(paths).flatMap((path) => Object.values(path).map((each) => [each.operationId, each])),
  );
  admin = await makeAdmin(await signInByBearer(origin));
});

/** Returns a caller with the right for a call; a new one when the call ends the session. */
const callerOf = async (id: string): Promise<Signed> =>
  id === 'auth.logout' || id === 'auth.endSessions' || id === 'users.remove' ? signInByBearer(origin) : admin;

describe('the API document', () => {
  test('lists every route and is readable as a page', async () => {
    for (const { id } of ENDPOINTS) expect(operations.has(id), id).toBe(true);
    const page = await fetch(`${origin}/api/docs`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('/users/{id}/mining/start');
  });

  test.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s responds as documented',
    async (id, endpoint) => {
      const caller = await callerOf(id);
      const { status, body, contentType } = await call(caller, endpoint, EXAMPLES[id]?.(caller));
      const documented = operations.get(id)?.responses[String(status)];
      expect(documented, `${id} answered ${status}: ${JSON.stringify(body)}`).toBeDefined();
      // 503 is valid: without a wallet network there are no orders.
      expect(status === 503 || status < 500, `${id} answered ${status}`).toBe(true);
      if (status === 204) return;
      expect(contentType).toContain(status < 400 ? 'application/json' : 'application/problem+json');
      if (status >= 400) {
        expect(body).toMatchObject({
          status,
          success: false,
          type: expect.any(String),
          error: expect.any(String),
          requestId: expect.any(String),
        });
        return;
      }
      const schema = documented?.content?.['application/json']?.schema;
      expect(schema).toBeDefined();
      const checked = z.fromJSONSchema(schema as never).safeParse(body);
      expect(checked.success ? [] : checked.error.issues, id).toEqual([]);
    },
  );
});
