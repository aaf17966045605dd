import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { liveVersions, noteHotReload, type Running } from './live-shell.js';

const runningAt = (url: string): Running => ({ origin: url, services: { gateway: [{ url }] } });

/** Starts a gateway with this registry. */
async function serving(registry: object): Promise<Running> {
  const { url } = stopAfterTest(await serveHttp((_request, answer) => answer.end(JSON.stringify(registry))));
  return runningAt(url);
}
/** Whether the report says that pages show its sources. */
async function isHotReloaded(running: Running | undefined, name: string): Promise<boolean> {
  const lines: string[] = [];
  await noteHotReload(running, [name], (line) => lines.push(line));
  return lines.length > 0;
}
const MODULES = { mfe_tasks: { version: 'dev' }, mfe_mining: { version: '1.0.0-4fc648d09287' } };

test('a module that npm run dev serves from its sources is detected, and the shell with it', async () => {
  const running = await serving({ modules: MODULES });
  expect(await isHotReloaded(running, 'mfe_tasks')).toBe(true);
  expect(await isHotReloaded(running, 'mfe_mining')).toBe(false);
  expect(await isHotReloaded(running, 'mfe_unknown')).toBe(false);
  expect(await isHotReloaded(running, 'shell')).toBe(true);
  const lines: string[] = [];
  await noteHotReload(running, ['mfe_tasks', 'mfe_mining'], (line) => lines.push(line));
  expect(lines).toEqual([expect.stringContaining('the sources of mfe_tasks')]);
});

test('a built shell is not hot-reloaded, and its versions come from the registry', async () => {
  const running = await serving({ modules: {}, sdk: '9.1.0', ui: '9.2.0' });
  expect(await isHotReloaded(running, 'shell')).toBe(false);
  expect(await liveVersions(running)).toEqual({ sdk: '9.1.0', ui: '9.2.0' });
});

test('without a running system nothing is hot-reloaded, and the versions are those of the checkout', async () => {
  expect(await isHotReloaded(undefined, 'mfe_tasks')).toBe(false);
  expect((await liveVersions(undefined)).sdk).toMatch(/^\d+\.\d+\.\d+$/);
});

test('no hint is printed, and no error thrown, while the gateway does not respond', async () => {
  const { url, stop } = await serveHttp();
  await stop();
  const lines: string[] = [];
  await noteHotReload(runningAt(url), ['mfe_tasks'], (line) => lines.push(line));
  expect(lines).toEqual([]);
});
