import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SERVICES } from '../endpoint.js';
import {
  GATEWAY_USER,
  gatewayPermissions,
  permissionsFor,
  RIGHTS_USER,
  rightsPermissions,
} from '../events/permissions.js';
import { STREAMS } from '../events/streams.js';
import { ENDPOINTS } from '../http/index.js';
import { routesOf } from '../openapi.js';
import { MANIFESTS } from './index.js';

/** All that NATS permits each user to publish and subscribe, one per line; consumers of a service's replicas share a line. */
function allowed(): string[] {
  const users = [
    ...SERVICES.map((name) => ({ user: name, ...permissionsFor(name) })),
    { user: GATEWAY_USER, ...gatewayPermissions() },
    { user: RIGHTS_USER, ...rightsPermissions() },
  ];
  const lines = users.flatMap(({ user, publish, subscribe }) => [
    ...publish.map(
      (subject) => `${user} publishes ${subject.replace(new RegExp(`\\.${user}-\\d+-[01]$`), `.${user}-N-M`)}`,
    ),
    ...subscribe.map((subject) => `${user} subscribes ${subject}`),
  ]);
  return [...new Set(lines)].sort();
}

test('NATS permits each user exactly what permissions.txt lists', () => {
  const written = readFileSync(new URL('permissions.txt', import.meta.url), 'utf8');
  expect(allowed()).toEqual(written.trimEnd().split('\n'));
});

describe('the manifests together', () => {
  test('give each stream and each thing one owner', () => {
    const things = SERVICES.flatMap((name) => Object.values(MANIFESTS[name].streams).flat());
    expect(new Set(things).size).toBe(things.length);
    const names = STREAMS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('give each call one owner, whatever its parameters are called', () => {
    const owners = new Map<string, string>();
    for (const name of SERVICES)
      for (const { path } of routesOf(name)) {
        const shape = path.replace(/:\w+/g, ':');
        expect(owners.get(shape) ?? name, path).toBe(name);
        owners.set(shape, name);
      }
    expect(owners.size).toBeGreaterThan(ENDPOINTS.length / 2);
  });
});
