import { ENDPOINTS } from '@cord/contracts/http/index';
import { expect, test } from 'vitest';
import { DECLARED, ownersFrom } from './routes.js';

const ownerOf = ownersFrom(DECLARED);

test('every call of the contract reaches the service that declares it', () => {
  for (const { path, service } of ENDPOINTS) {
    const called = path.replace(/:[A-Za-z]+/g, 'f'.repeat(32));
    expect(ownerOf(called), called).toBe(service);
  }
});

test('the start of the sign-in and the pictures of users reach auth', () => {
  expect(ownerOf('/auth/discord')).toBe('auth');
  expect(ownerOf(`/users/${'a'.repeat(32)}/avatar`)).toBe('auth');
});

test.each(['', '/', '/users', '/users/', '/users/a/nothing', '/mining', '/tasks/a/b/c/d', '//users/a', '/internal'])(
  'nobody owns %j unless the contract says so',
  (path) => {
    const declared = ENDPOINTS.some((endpoint) => endpoint.path === path);
    expect(ownerOf(path) !== undefined).toBe(declared);
  },
);

test('two services that claim one path stop the start', () => {
  const claims = [
    { path: '/things/:id', service: 'auth' },
    { path: '/things/:name', service: 'tasks' },
  ] as const;
  expect(() => ownersFrom(claims)).toThrow('/things/:name');
});
