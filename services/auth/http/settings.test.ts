import { userSettings } from '@cord/contracts/events/user';
import { userEndpoints } from '@cord/contracts/http/users';
import { NOTICE_KINDS } from '@cord/contracts/rules/notices';
import { stateOf } from '@cord/kit/nats/state-of';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, startAuth } from '../test/auth.js';

const auth = forAllTests(() => startAuth());
let nova: Person;

beforeAll(async () => {
  nova = await auth.signUp('nova');
});

describe('settings', () => {
  it('are stored field by field, and an invalid value gets 400 and changes nothing', async () => {
    const params = { id: nova.id };
    const put = (body: unknown) => call(auth.url, userEndpoints.putSettings, { token: nova.token, params, body });
    const get = async () => (await call(auth.url, userEndpoints.getSettings, { token: nova.token, params })).body;
    const notices = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, 'app']));
    expect(await get()).toEqual({ autoStart: false, notifications: true, notices, quietHours: null });
    expect((await put({ autoStart: true })).body).toEqual({
      autoStart: true,
      notifications: true,
      notices,
      quietHours: null,
    });
    expect((await put({ notifications: false })).status).toBe(200);
    expect(await get()).toEqual({ autoStart: true, notifications: false, notices, quietHours: null });
    for (const [body, path] of [
      [{ autoStart: 'yes' }, 'autoStart'],
      [{ notices: { epoch: 'sometimes' } }, 'notices.epoch'],
      [{ notices: { weather: 'off' } }, 'notices.weather'],
      [{ quietHours: { from: '23:00', to: '24:00', zone: 'UTC' } }, 'quietHours.to'],
    ] as const) {
      const bad = await put(body);
      expect([bad.status, bad.problem.errors?.[0]?.path]).toEqual([400, path]);
    }
    expect(await get()).toEqual({ autoStart: true, notifications: false, notices, quietHours: null });
  });

  it('for notices are stored by kind and published, together with quiet hours, notifications and locale', async () => {
    const params = { id: nova.id };
    const put = async (notices: object) =>
      (await call(auth.url, userEndpoints.putSettings, { token: nova.token, params, body: { notices } })).body.notices;
    expect(await put({ epoch: 'off' })).toMatchObject({ epoch: 'off', payment: 'app' });
    expect(await put({ payment: 'push' })).toMatchObject({ epoch: 'off', payment: 'push', rank: 'app' });
    const published = async () => await stateOf(auth.backend.nats, userSettings, nova.id);
    await expect.poll(async () => (await published())?.notices).toEqual({ epoch: 'off', payment: 'push' });
    // What is used where pushes are made is published with them.
    const token = nova.token;
    const quietHours = { from: '23:00', to: '07:00', zone: 'Europe/Berlin' };
    await call(auth.url, userEndpoints.putSettings, { token, params, body: { quietHours, notifications: false } });
    await expect.poll(published).toMatchObject({ quietHours, notifications: false, locale: 'und' });
    await call(auth.url, userEndpoints.update, { token, params, body: { locale: 'de' } });
    await expect
      .poll(published)
      .toMatchObject({ quietHours, locale: 'de', notices: { epoch: 'off', payment: 'push' } });
  });
});
