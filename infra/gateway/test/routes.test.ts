import type { RequestListener } from 'node:http';
import type { Route } from '@cord/contracts/openapi';
import { describe, expect, test } from 'vitest';
import { origin, upstream } from './origin.js';

const docs = (operationId: string) => ({ operationId, tags: ['tasks'], summary: 'Tomorrow', responses: {} });
const NEW: Route = {
  method: 'GET',
  path: '/tasks/of/tomorrow',
  docs: docs('tasks.tomorrow'),
};
const OLD: Route = { method: 'GET', path: '/tasks', docs: docs('tasks.list') };

/** Starts a replica that lists its routes, and responds to every call with its own name. */
async function saying(name: string, routes: readonly Route[]) {
  const life = { now: `${name} 1`, routes, isReady: true, listed: 0 };
  const answer: RequestListener = (incoming, response) => {
    if (incoming.url !== '/routes') return response.end(JSON.stringify(name));
    life.listed += 1;
    response.end(JSON.stringify({ service: name, routes: life.routes, more: 1 }));
  };
  const one = await upstream(answer, undefined, (_, response) => {
    response.writeHead(life.isReady ? 200 : 503).end(JSON.stringify({ status: 'ok', life: life.now }));
  });
  return { ...one, life };
}

describe('the table of routes', () => {
  test('contains what a service declares: a new endpoint needs no new gateway, and is in the API document', async () => {
    const tasks = await saying('tasks', [OLD, NEW]);
    const site = await origin({ upstreams: { tasks: [tasks.url] } });
    await site.probed();
    expect((await site.call('/api/tasks/of/tomorrow')).json()).toBe('tasks');
    const { paths } = (await site.call('/api/openapi.json')).json();
    expect(paths['/tasks/of/tomorrow'].get.operationId).toBe('tasks.tomorrow');
    // Absent services have the calls of the contract.
    expect(paths['/users/{id}/mining/start']).toBeDefined();
    expect((await site.call('/api/docs')).text).toContain('/tasks/of/tomorrow');
  });

  test('is requested once per process of a replica, and again from the next process', async () => {
    const tasks = await saying('tasks', [OLD]);
    const site = await origin({ upstreams: { tasks: [tasks.url] } });
    await site.probed();
    await site.probed();
    expect(tasks.life.listed).toBe(1);
    expect((await site.call('/api/tasks/of/tomorrow')).status).toBe(404);
    Object.assign(tasks.life, { now: 'tasks 2', routes: [OLD, NEW] });
    await site.probed();
    expect((await site.call('/api/tasks/of/tomorrow')).status).toBe(200);
    Object.assign(tasks.life, { now: 'tasks 3', routes: [OLD] });
    await site.probed();
    expect((await site.call('/api/tasks/of/tomorrow')).status).toBe(404);
  });

  test('sends a call to a replica that has its route while two releases run side by side', async () => {
    const [before, after] = [await saying('before', [OLD]), await saying('after', [OLD, NEW])];
    const site = await origin({ upstreams: { tasks: [before.url, after.url] } });
    await site.probed();
    const reached = async (path: string) => (await site.call(path)).json();
    for (let n = 0; n < 4; n += 1) expect(await reached('/api/tasks/of/tomorrow')).toBe('after');
    expect(new Set([await reached('/api/tasks'), await reached('/api/tasks')])).toEqual(new Set(['before', 'after']));
  });

  test('refuses, logs and counts a literal path that captures calls of another service’s parameter', async () => {
    const user = 'a'.repeat(32);
    const settings: Route = { method: 'GET', path: '/users/:id/settings' };
    const hostile: Route = { method: 'GET', path: `/users/${user}/settings` };
    const [auth, tasks] = [await saying('auth', [settings]), await saying('tasks', [OLD, hostile])];
    const site = await origin({ upstreams: { auth: [auth.url], tasks: [tasks.url] } });
    await site.probed();
    await site.probed();
    expect((await site.call(`/api/users/${user}/settings`)).json()).toBe('auth');
    expect((await site.call('/api/tasks')).json()).toBe('tasks');
    const labels = `path="/users/${user}/settings",refused="tasks",owner="auth"`;
    expect(await site.figures()).toMatch(new RegExp(`^cord_gateway_routes_refused\\{.*${labels}.*\\} 1$`, 'm'));
  });

  test('keeps the last list of a service that is away; before the first list an unknown path gets 503, not 404', async () => {
    const tasks = await saying('tasks', [OLD, NEW]);
    tasks.life.isReady = false;
    const site = await origin({ upstreams: { tasks: [tasks.url] } });
    const early = await site.call('/api/tasks/of/tomorrow');
    expect([early.status, early.headers['retry-after']]).toEqual([503, '1']);
    // The contract names the owner.
    expect((await site.call('/api/tasks')).status).toBe(200);
    tasks.life.isReady = true;
    // The caller need not wait for the next probe.
    expect((await site.call('/api/tasks/of/tomorrow')).status).toBe(200);
    expect((await site.call('/api/nobody/has/this')).status).toBe(404);
    await tasks.close();
    await site.probed();
    expect((await site.call('/api/tasks/of/tomorrow')).status).toBe(503);
    expect((await site.call('/api/nobody/has/this')).status).toBe(404);
  });

  test('ignores an invalid or too long list of routes', async () => {
    const tasks = await saying('tasks', [{ method: 'GET', path: 'nowhere' }]);
    const site = await origin({ upstreams: { tasks: [tasks.url] } });
    await site.probed();
    expect((await site.call('/api/tasks')).status).toBe(200);
    expect((await site.call('/api/nowhere')).status).toBe(404);
    const noDocs = [{ tags: 'none' }, { ...NEW.docs, description: 5 }, { ...NEW.docs, requestBody: {} }];
    for (const [n, nonsense] of noDocs.entries()) {
      Object.assign(tasks.life, { now: `tasks with docs ${n}`, routes: [{ ...NEW, docs: nonsense }] });
      await site.probed();
      expect((await site.call('/api/tasks/of/tomorrow')).status).toBe(200);
      const page = await site.call('/api/docs');
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('/tasks/of/tomorrow');
    }
    // Each path is compared with all others: a long list would block the gateway for minutes.
    const flood = Array.from({ length: 501 }, (_, n) => ({ method: 'GET', path: `/flood/${n}/of/:id` }));
    Object.assign(tasks.life, { now: 'tasks 3', routes: flood });
    await site.probed();
    expect((await site.call('/api/flood/1/of/2')).status).toBe(404);
  });
});
