import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { ENDPOINTS } from '@cord/contracts/http/index';
import { type Route, routesOf } from '@cord/contracts/openapi';
import { describe, expect, test } from 'vitest';
import { declaredOwners, ownersOf } from './route-owners.js';
import { pathsOf } from './routes.js';

const declared = new Map(SERVICES.map((service) => [service, routesOf(service)]));
const find = pathsOf(declaredOwners(declared));
const ownerOf = (path: string) => find(path)?.owner;

test('every endpoint of the contract is routed to the service that declares it', () => {
  for (const { path, service } of ENDPOINTS) {
    const called = path.replace(/:[A-Za-z]+/g, 'f'.repeat(32));
    expect(ownerOf(called), called).toBe(service);
  }
});

test('the start of a sign-in, users’ pictures and the live stream are routed to their services', () => {
  expect(ownerOf('/auth/discord')).toBe('auth');
  expect(ownerOf(`/users/${'a'.repeat(32)}/avatar`)).toBe('auth');
  expect(ownerOf('/events')).toBe('notices');
});

test.each(['', '/', '/users', '/users/', '/users/a/nothing', '/mining', '/tasks/a/b/c/d', '//users/a', '/internal'])(
  '%j has no owner unless the contract declares it',
  (path) => {
    const isDeclared = ENDPOINTS.some((endpoint) => endpoint.path === path);
    expect(ownerOf(path) !== undefined).toBe(isDeclared);
  },
);

describe('a path that two services declare', () => {
  const declared = (given: Partial<Record<ServiceName, string[]>>) =>
    new Map(
      Object.entries(given).map(([name, paths]) => [
        name as ServiceName,
        paths.map((path): Route => ({ method: 'GET', path })),
      ]),
    );
  const none = new Map<string, ServiceName>();

  test('fails the build if the contract declares it twice', () => {
    expect(() => declaredOwners(declared({ auth: ['/things/:id'], tasks: ['/things/:name'] }))).toThrow(
      '/things/:name',
    );
  });

  test('stays with its present owner, and the refused one is named', () => {
    const both = declared({ auth: ['/things/:id'], tasks: ['/things/:name'] });
    const before = new Map<string, ServiceName>([['/things/:', 'tasks']]);
    const { owners, refused } = ownersOf(both, before, new Map([['/things/:', 'auth' as const]]));
    expect(owners.get('/things/:')).toBe('tasks');
    expect(refused).toEqual([{ path: '/things/:id', service: 'auth', owner: 'tasks' }]);
  });

  test('belongs first to the service that the contract names', () => {
    const both = declared({ auth: ['/things'], tasks: ['/things'] });
    expect(ownersOf(both, none, new Map([['/things', 'tasks' as const]])).owners.get('/things')).toBe('tasks');
    expect(ownersOf(both, none, none).owners.get('/things')).toBe('auth');
  });

  test('changes its owner once the present one no longer declares it', () => {
    const before = new Map<string, ServiceName>([['/things', 'auth']]);
    const { owners, refused } = ownersOf(declared({ auth: [], tasks: ['/things'] }), before, before);
    expect(owners.get('/things')).toBe('tasks');
    expect(refused).toEqual([]);
  });

  test.each([
    ['/users/0123/settings', 'a literal in place of a parameter'],
    ['/users/:id/:what', 'a parameter in place of a literal'],
    ['/users/0123/:what', 'one of each'],
  ])('is refused as %s beside another service’s /users/:id/settings: %s', (path) => {
    const own = new Map<string, ServiceName>([['/users/:/settings', 'auth']]);
    const { owners, refused } = ownersOf(declared({ auth: ['/users/:id/settings'], tasks: [path] }), own, own);
    expect([...owners]).toEqual([['/users/:/settings', 'auth']]);
    expect(refused).toEqual([{ path, service: 'tasks', owner: 'auth' }]);
    // Among a service's own paths a literal segment wins; different lengths or literals are different paths.
    const free = declared({
      auth: ['/users/:id/settings', path],
      tasks: ['/users/:id', '/users/:id/settings/x', '/user/:id/settings'],
    });
    expect(ownersOf(free, own, own).refused).toEqual([]);
  });

  test('goes to one of two overlapping services that appear at once, and the other is named', () => {
    const both = declared({ auth: ['/things/:id'], tasks: ['/things/new'] });
    const { owners, refused } = ownersOf(both, none, none);
    expect([...owners]).toEqual([['/things/:', 'auth']]);
    expect(refused).toEqual([{ path: '/things/new', service: 'tasks', owner: 'auth' }]);
  });
});
