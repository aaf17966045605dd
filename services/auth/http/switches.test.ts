import { supportEndpoints } from '@cord/contracts/http/support';
import { switchEndpoints } from '@cord/contracts/http/switches';
import { createLogger } from '@cord/kit/log';
import { connectStore } from '@cord/kit/store';
import { followSwitches } from '@cord/kit/switches';
import { call } from '@cord/kit/testing/index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operateSwitch, SwitchRefused } from '../switches/operator.js';
import { meOf, startAuth, type TestAuth } from '../test/auth.js';

let auth: TestAuth;
let account: string;
let admin: { id: string; token: string };

beforeAll(async () => {
  auth = await startAuth();
  const browser = auth.browser();
  account = await auth.discord.account({ username: 'operator' });
  await browser.signIn({ account });
  admin = { id: (await meOf(browser)).user.id, token: browser.cookies.get('cord') ?? '' };
  await fetch(`${auth.url}/dev/users/${admin.id}/admin`, { method: 'POST' });
});
afterAll(() => auth?.stop());

const list = async () => (await call(auth.url, switchEndpoints.switches, { token: admin.token })).body.switches;
const flip = (name: string, on: boolean, why = 'Under repair') =>
  call(auth.url, switchEndpoints.throwSwitch, { token: admin.token, params: { name }, body: { on, why } });
const audited = async () =>
  (await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } })).body.entries[0];

describe('the switches', () => {
  it('are all on at first; an admin throws one with a reason, which stands in the audit log with who it was', async () => {
    expect((await list()).every(({ on }) => on)).toBe(true);
    const { body } = await flip('claims', false);
    expect(body.switches).toContainEqual({
      name: 'claims',
      on: false,
      why: 'Under repair',
      by: admin.id,
      since: expect.any(String),
    });
    expect(await audited()).toMatchObject({
      action: 'switch.off',
      target: 'claims',
      adminId: admin.id,
      detail: { why: 'Under repair' },
    });
    await flip('claims', true);
    expect((await list()).every(({ on }) => on)).toBe(true);
    expect(await audited()).toMatchObject({ action: 'switch.on', target: 'claims' });
  });

  it('a name that is none, and an act without a reason, are refused', async () => {
    expect((await flip('everything', false)).problem.errors?.[0]?.path).toBe('name');
    expect((await flip('claims', false, '')).problem.errors?.[0]?.path).toBe('why');
  });

  it('with sign-ups off nobody new comes in and is told so; whoever has an account does', async () => {
    await flip('signups', false);
    const newcomer = await auth.discord.account({ username: 'newcomer' });
    const refused = await auth.browser().signIn({ account: newcomer });
    expect(refused).toContain('/?auth_error=signups_off');
    const known = auth.browser();
    await known.signIn({ account });
    expect((await meOf(known)).user.id).toBe(admin.id);
    await flip('signups', true);
    const joined = auth.browser();
    await joined.signIn({ account: newcomer });
    expect((await meOf(joined)).user.username).toBe('newcomer');
  });

  it('that an operator throws beside the running system hold too, and stand in the audit log', async () => {
    const connection = await connectStore(auth.backend.mongodbUri, auth.dbName, createLogger('test', 'silent'));
    const operate = (verb: 'list' | 'on' | 'off', name?: string, why?: string) =>
      operateSwitch({ verb, name, why, by: 'mara', connection, now: auth.clock.now });
    const switches = await followSwitches(auth.backend.nats);
    const lines = await operate('off', 'module.mfe_tasks', 'The page throws');
    expect(lines.at(-1)).toMatch(/^module\.mfe_tasks {2}OFF since .* by mara: The page throws$/);
    await expect.poll(() => switches.isOn('module.mfe_tasks')).toBe(false);
    expect(await audited()).toMatchObject({ action: 'switch.off', detail: { by: 'mara', why: 'The page throws' } });
    await operate('on', 'module.mfe_tasks', 'Mended');
    await expect.poll(() => switches.isOn('module.mfe_tasks')).toBe(true);
    expect(await operate('list')).toEqual(['claims  on', 'orders  on', 'signups  on', 'commission  on']);
    await expect(operate('off', 'everything', 'x')).rejects.toThrow(SwitchRefused);
    await expect(operate('off', 'claims')).rejects.toThrow('--why');
    await switches.stop();
    await connection.close();
  });
});
