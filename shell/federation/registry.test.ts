import { describe, expect, it, vi } from 'vitest';
import { createRegistry, type RegistryState } from './registry';

const TASKS = { version: '1.0.0-a', entry: '/modules/mfe_tasks/1.0.0-a/mf-manifest.json', sdk: '^1.0.0' };

function registryOf(answers: (() => Response | Promise<Response>)[], lot = 0.5, inPage?: unknown) {
  let calls = 0;
  const clock = { nowMs: 0 };
  const registry = createRegistry({
    fetch: async () => {
      const answer = answers[Math.min(calls, answers.length - 1)];
      calls += 1;
      if (answer === undefined) throw new TypeError('Failed to fetch');
      return answer();
    },
    versions: { sdk: '1.2.0', ui: '1.0.0' },
    lotOf: (module) => (module === 'mfe_tasks' ? lot : 0.99),
    inPage,
    now: () => clock.nowMs,
  });
  return { registry, clock, calls: () => calls };
}

const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });

describe('the registry of modules', () => {
  it('is fetched once for simultaneous requests', async () => {
    const { registry, calls } = registryOf([json({ modules: { mfe_tasks: TASKS, mfe_mining: TASKS } })]);
    await Promise.all([registry.find('mfe_tasks', { fresh: false }), registry.find('mfe_mining', { fresh: false })]);
    expect(await registry.find('mfe_tasks', { fresh: false })).toEqual(TASKS);
    expect(calls()).toBe(1);
  });

  it('is fetched again for a retry, and then contains the new release', async () => {
    const next = { ...TASKS, version: '1.0.0-b' };
    const { registry } = registryOf([json({ modules: { mfe_tasks: TASKS } }), json({ modules: { mfe_tasks: next } })]);
    await registry.find('mfe_tasks', { fresh: false });
    expect(await registry.find('mfe_tasks', { fresh: true })).toEqual(next);
  });

  it('is fetched again once, however many modules retry at the same time', async () => {
    const { registry, calls } = registryOf([json({ modules: { mfe_tasks: TASKS, mfe_mining: TASKS } })]);
    const fresh = { fresh: true };
    await Promise.all([registry.find('mfe_tasks', fresh), registry.find('mfe_mining', fresh)]);
    expect(calls()).toBe(1);
    await registry.find('mfe_tasks', fresh);
    expect(calls()).toBe(2);
  });

  it('keeps the known entries after a failed read', async () => {
    const { registry } = registryOf([json({ version: '1', modules: { mfe_tasks: TASKS } }), json({}, 500)]);
    await registry.find('mfe_tasks', { fresh: false });
    await expect(registry.find('mfe_tasks', { fresh: true })).rejects.toMatchObject({ failure: 'registry' });
    expect(registry.state.get().status).toBe('known');
    expect(registry.latest('mfe_tasks')).toEqual(TASKS);
  });

  it('is refreshed in the background at most once per interval, and a failure keeps the known entries', async () => {
    const next = { ...TASKS, entry: '/modules/mfe_tasks/1.0.0-b/mf-manifest.json' };
    const { registry, clock, calls } = registryOf([
      json({ version: '1', modules: { mfe_tasks: TASKS } }),
      json({ error: 'down' }, 500),
      json({ version: '2', modules: { mfe_tasks: next } }),
    ]);
    expect(registry.latest('mfe_tasks')).toBeNull();
    await registry.find('mfe_tasks', { fresh: false });
    clock.nowMs = 59_999;
    registry.refresh(60_000);
    expect(calls()).toBe(1);
    clock.nowMs = 60_000;
    registry.refresh(60_000);
    await vi.waitFor(() => expect(calls()).toBe(2), 15_000);
    expect(registry.latest('mfe_tasks')).toEqual(TASKS);
    clock.nowMs = 120_000;
    await vi.waitFor(() => {
      registry.refresh(60_000);
      expect(calls()).toBe(3);
    }, 15_000);
    await vi.waitFor(() => expect(registry.latest('mfe_tasks')).toEqual(next), 15_000);
    expect(await registry.find('mfe_tasks', { fresh: false })).toEqual(next);
    expect(registry.latest('mfe_unknown')).toBeNull();
    registry.refresh(0);
    expect(calls()).toBe(4);
  });

  it('is refreshed even after the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 3_600_000 });
    try {
      const fetch = vi.fn(async () => Response.json({ version: '1', modules: { mfe_tasks: TASKS } }));
      const registry = createRegistry({ fetch, versions: { sdk: '1.2.0', ui: '1.0.0' }, lotOf: () => 0.5 });
      await registry.find('mfe_tasks', { fresh: false });
      vi.setSystemTime(0);
      registry.refresh(0);
      expect(fetch).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is read once more after a read during which releases were reported', async () => {
    const next = { ...TASKS, entry: '/modules/mfe_tasks/1.0.0-b/mf-manifest.json' };
    let come: (answer: Response) => void = () => undefined;
    const later = () =>
      new Promise<Response>((resolve) => {
        come = resolve;
      });
    const { registry, calls } = registryOf([later, json({ version: '2', modules: { mfe_tasks: next } })]);
    registry.refresh(60_000);
    registry.refresh(60_000);
    for (let reports = 0; reports < 2; reports += 1) registry.refresh(0);
    expect(calls()).toBe(1);
    come(Response.json({ version: '1', modules: { mfe_tasks: TASKS } }));
    await expect.poll(() => registry.latest('mfe_tasks')).toEqual(next);
    await expect.poll(calls).toBe(2);
  });

  it('is read once more after a failed read too', async () => {
    const { registry } = registryOf([json({}, 500), json({ version: '1', modules: { mfe_tasks: TASKS } })]);
    const first = registry.find('mfe_tasks', { fresh: false });
    registry.refresh(0);
    await expect(first).rejects.toMatchObject({ failure: 'registry' });
    await expect.poll(() => registry.latest('mfe_tasks')).toEqual(TASKS);
  });

  it('embedded in the page is not fetched', async () => {
    const { registry, calls } = registryOf([], 0.5, { version: '7', modules: { mfe_tasks: TASKS } });
    expect(await registry.find('mfe_tasks', { fresh: false })).toEqual(TASKS);
    registry.refresh(60_000);
    expect(calls()).toBe(0);
  });

  it('that is unchanged does not update the state; a retry does', async () => {
    const body = { version: '7', modules: { mfe_tasks: TASKS } };
    const { registry, calls } = registryOf([json(body)], 0.5, body);
    const before = registry.state.get();
    registry.refresh(0);
    await new Promise((read) => setTimeout(read));
    expect(calls()).toBe(1);
    expect(registry.state.get()).toBe(before);
    await registry.find('mfe_tasks', { fresh: true });
    expect(registry.state.get()).not.toBe(before);
  });

  it('keeps the tab of a module that is removed', async () => {
    const tab = { id: 'tasks', words: { en: 'Tasks' }, icon: 'list', order: 30, for: 'signed-in' };
    const { registry } = registryOf([json({ version: '8', modules: {} })], 0.5, {
      version: '7',
      modules: { mfe_tasks: { ...TASKS, tab } },
    });
    const tabsOf = (state: RegistryState) => (state.status === 'known' ? state.published.tabs.map(({ id }) => id) : []);
    await expect(registry.find('mfe_tasks', { fresh: true })).rejects.toMatchObject({ failure: 'unknown' });
    expect(tabsOf(registry.state.get())).toEqual(['tasks']);
  });

  it('is failed until it has been read', async () => {
    const { registry } = registryOf([json({}, 500), json({ version: '1', modules: {} })]);
    expect(registry.state.get().status).toBe('loading');
    registry.refresh(0);
    await expect.poll(() => registry.state.get().status).toBe('failed');
    registry.refresh(0);
    await expect.poll(() => registry.state.get().status).toBe('known');
  });

  it('does not cache a failure', async () => {
    const { registry } = registryOf([json({ error: 'down' }, 500), json({ modules: { mfe_tasks: TASKS } })]);
    await expect(registry.find('mfe_tasks', { fresh: false })).rejects.toMatchObject({ failure: 'registry' });
    expect(await registry.find('mfe_tasks', { fresh: false })).toEqual(TASKS);
  });

  it.each([
    ['a 500 with a JSON body', json({ modules: { mfe_tasks: TASKS } }, 500)],
    ['a body that is not JSON', () => new Response('<html>')],
    ['JSON that is no registry', json({ hello: 'world' })],
  ])('rejects %s', async (_what, answer) => {
    const { registry } = registryOf([answer]);
    await expect(registry.find('mfe_tasks', { fresh: false })).rejects.toMatchObject({
      name: 'ModuleLoadError',
      failure: 'registry',
    });
  });

  it('names the unknown module in its error', async () => {
    const { registry } = registryOf([json({ modules: {} })]);
    await expect(registry.find('mfe_tasks', { fresh: false })).rejects.toMatchObject({
      module: 'mfe_tasks',
      failure: 'unknown',
    });
  });

  it('refuses a module that is switched off, and reports it as off', async () => {
    const { registry } = registryOf([json({ modules: { mfe_tasks: { ...TASKS, off: true }, mfe_mining: TASKS } })]);
    await expect(registry.find('mfe_tasks', { fresh: false })).rejects.toMatchObject({ failure: 'off' });
    expect(['mfe_tasks', 'mfe_mining'].map(registry.isOff)).toEqual([true, false]);
  });

  it.each([{ sdk: '^2.0.0' }, { sdk: '^1.3.0' }, { ui: '^1.1.0' }])('refuses a module that needs %o', async (other) => {
    const { registry } = registryOf([json({ modules: { mfe_tasks: { ...TASKS, ui: '^1.0.0', ...other } } })]);
    await expect(registry.find('mfe_tasks', { fresh: false })).rejects.toMatchObject({ failure: 'incompatible' });
  });

  it('gives a canary to its share of browsers only, with a separate lot for each module', async () => {
    const canary = { ...TASKS, version: '1.1.0-c', entry: '/modules/mfe_tasks/1.1.0-c/mf-manifest.json', share: 0.1 };
    const answer = json({ modules: { mfe_tasks: { ...TASKS, canary }, mfe_mining: { ...TASKS, canary } } });
    const inside = registryOf([answer], 0.05).registry;
    expect((await inside.find('mfe_tasks', { fresh: false })).version).toBe('1.1.0-c');
    expect((await inside.find('mfe_mining', { fresh: false })).version).toBe('1.0.0-a');
    expect((await registryOf([answer], 0.1).registry.find('mfe_tasks', { fresh: false })).version).toBe('1.0.0-a');
  });

  it('checks the version ranges of the given release, also for a canary', async () => {
    const canary = { ...TASKS, version: '1.1.0-c', share: 1 };
    const find = async (entry: object) =>
      (await registryOf([json({ modules: { mfe_tasks: entry } })]).registry.find('mfe_tasks', { fresh: false }))
        .version;
    expect(await find({ ...TASKS, canary: { ...canary, sdk: '^1.9.0' } })).toBe('1.0.0-a');
    expect(await find({ ...TASKS, sdk: '^1.9.0', canary })).toBe('1.1.0-c');
  });
});
