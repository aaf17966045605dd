import { expect, test } from 'vitest';
import { SERVICES } from './endpoint.js';
import { ENDPOINTS } from './http/index.js';
import { openApiDocument, openApiPath, routesOf } from './openapi.js';

type Operation = {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
  security: unknown[];
};
const document = openApiDocument(SERVICES.flatMap(routesOf)) as { paths: Record<string, Record<string, Operation>> };
const operationOf = (method: string, path: string) => document.paths[openApiPath(path)]?.[method.toLowerCase()];

test('every endpoint is documented as its own operation', () => {
  for (const endpoint of ENDPOINTS) {
    const operation = operationOf(endpoint.method, endpoint.path);
    expect(operation?.operationId, endpoint.id).toBe(endpoint.id);
    expect(operation?.responses[String(endpoint.status)], endpoint.id).toBeDefined();
    for (const ofBodies of ['413', '415'])
      expect(ofBodies in (operation?.responses ?? {}), `${endpoint.id} ${ofBodies}`).toBe(endpoint.method !== 'GET');
    if (endpoint.path.includes(':')) expect(operation?.responses['404'], endpoint.id).toBeDefined();
    if (endpoint.method === 'POST' && endpoint.access !== 'public')
      for (const ofKeys of ['409', '422'])
        expect(operation?.responses[ofKeys], `${endpoint.id} ${ofKeys}`).toBeDefined();
    expect((operation?.security.length ?? 0) > 0, endpoint.id).toBe(endpoint.access !== 'public');
  }
});

test('every path parameter is documented and required', () => {
  for (const endpoint of ENDPOINTS) {
    const documented = operationOf(endpoint.method, endpoint.path)?.parameters ?? [];
    for (const [, name] of endpoint.path.matchAll(/:(\w+)/g)) {
      expect(
        documented.find((each) => each.name === name && each.in === 'path')?.required,
        `${endpoint.id} ${name}`,
      ).toBe(true);
    }
  }
});

test('a body is documented only where one is read', () => {
  expect(operationOf('POST', '/support')?.requestBody).toBeDefined();
  expect(operationOf('GET', '/support')?.requestBody).toBeUndefined();
  expect(operationOf('POST', '/auth/logout')?.requestBody).toBeUndefined();
});

test('signing in with Discord is documented too', () => {
  expect(operationOf('GET', '/auth/discord')?.responses['302']).toBeDefined();
  expect(operationOf('GET', '/auth/discord/callback')?.responses['302']).toBeDefined();
});
