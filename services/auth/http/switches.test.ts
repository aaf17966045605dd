import { releaseEndpoints } from '@cord/contracts/http/releases';
import { supportEndpoints } from '@cord/contracts/http/support';
import { switchEndpoints } from '@cord/contracts/http/switches';
import { userEndpoints } from '@cord/contracts/http/users';
import { actOnReleaseRpc, type ReleasesState, releasesRpc } from '@cord/contracts/rpc/releases';
import { FRESH_SIGN_IN_MS } from '@cord/contracts/rules/timings';
import { OFF_SPANS_MAX } from '@cord/contracts/switches';
import { conflict } from '@cord/kit/problem';
import { followSwitches } from '@cord/kit/switches';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { throwSwitch } from '../switches/desk.js';
import { operateSwitch, SwitchRefused } from '../switches/operator.js';
import { SWITCHES as STORED, spansAfter } from '../switches/store.js';
import { meOf, type Person, startAuth } from '../test/auth.js';

const auth = forAllTests(() => startAuth());
let admin: Person;

beforeAll(async () => {
  admin = await auth.signUp('operator');
  await auth.makeAdmin(admin);
});

const list = async () => (await call(auth.url, switchEndpoints.switches, { token: admin.token })).body.switches;
const flip = (name: string, on: boolean, why = 'Under repair') =>
  call(auth.url, switchEndpoints.throwSwitch, { token: admin.token, params: { name }, body: { on, why } });
const audited = async () =>
  (await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } })).body.entries[0];

describe('the switches', () => {
  it('are all on at first, and an admin’s change is in the audit log with its reason and author', async () => {
    expect((await list()).every(({ on }) => on)).toBe(true);
    const { body } = await flip('claims', false);
    expect(body.switches).toContainEqual({
      name: 'claims',
      on: false,
      why: 'Under repair',
      ...{ by: admin.id, byName: 'operator' },
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

  it('reject a stalled act with 409 if others changed the switch meanwhile', async () => {
    const connection = await auth.backend.storeOf('auth');
    const switches = STORED.versioned(connection);
    const write = async () => {
      await flip('claims', false);
      await flip('claims', true);
    };
    const act = { name: 'claims', on: false, why: 'Under repair', by: 'mara' } as const;
    const stalled = throwSwitch({ switches, audit: { write }, now: auth.clock.now }, act, admin.id);
    await expect(stalled).rejects.toMatchObject({ status: 409, type: 'no-longer-so' });
    expect((await list()).every(({ on }) => on)).toBe(true);
  });

  it('publish one span from off to on, however often the act is repeated, and no span for modules', async () => {
    const switches = await followSwitches(auth.backend.nats);
    const ofOrders = () => switches.spans().filter(({ name }) => name !== 'claims');
    const ordersSwitch = async () => (await list()).find(({ name }) => name === 'orders');
    await flip('orders', false);
    const first = await ordersSwitch();
    await auth.clock.advance(60_000);
    await flip('orders', false, 'Still under repair');
    expect(await ordersSwitch()).toEqual({ ...first, why: 'Still under repair' });
    await flip('module.mfe_tasks', false);
    await expect.poll(ofOrders).toEqual([{ name: 'orders', fromMs: expect.any(Number), toMs: null }]);
    const [{ fromMs = 0 } = {}] = ofOrders();
    expect(auth.clock.now() - fromMs).toBeGreaterThanOrEqual(60_000);
    await auth.clock.advance(60_000);
    await flip('orders', true);
    await flip('orders', true);
    await flip('module.mfe_tasks', true);
    await expect.poll(() => ofOrders()[0]?.toMs ?? 0).toBeGreaterThanOrEqual(fromMs + 120_000);
    expect(ofOrders()).toEqual([{ name: 'orders', fromMs, toMs: expect.any(Number) }]);
    await switches.stop();
  });

  it('keep the span of a switch that is still off, however many spans of others follow', () => {
    let spans = spansAfter({ spans: [] }, { name: 'claims', on: false }, 0);
    for (let n = 1; n <= 3 * OFF_SPANS_MAX; n += 1)
      spans = spansAfter({ spans }, { name: 'orders', on: n % 2 === 0 }, n);
    spans = spansAfter({ spans }, { name: 'claims', on: true }, 5_000);
    expect(spans).toHaveLength(OFF_SPANS_MAX);
    expect(spans[0]).toEqual({ name: 'claims', fromMs: 0, toMs: 5_000 });
    expect(spans.at(-1)).toMatchObject({ name: 'orders', toMs: 3 * OFF_SPANS_MAX });
  });

  it('reject an unknown name and an act without a reason', async () => {
    expect((await flip('everything', false)).problem.errors?.[0]?.path).toBe('name');
    expect((await flip('claims', false, '')).problem.errors?.[0]?.path).toBe('why');
  });

  it('with signups off, a newcomer gets auth_error=signups_off and an existing user signs in', async () => {
    await flip('signups', false);
    const newcomer = await auth.discord.account({ username: 'newcomer' });
    const refused = await auth.browser().signIn({ account: newcomer });
    expect(refused).toContain('/?auth_error=signups_off');
    const known = auth.browser();
    await known.signIn({ account: admin.account });
    expect((await meOf(known)).user.id).toBe(admin.id);
    await flip('signups', true);
    const joined = auth.browser();
    await joined.signIn({ account: newcomer });
    expect((await meOf(joined)).user.username).toBe('newcomer');
  });

  it('changed at the command line take effect in the running system and are in the audit log', async () => {
    const connection = await auth.backend.storeOf('auth');
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
  });
});

describe('releases', () => {
  const stateAt = (seq: number, who = 'ann'): ReleasesState => ({
    unreadable: [],
    published: [
      {
        ...{ name: 'mfe_tasks', sdk: '^2.0.0', ui: '^2.0.0', size: 9_000, previous: '1.0.0-a', more: false },
        journal: [
          {
            ...{ seq, action: 'publish', version: '1.0.0-b', from: '1.0.0-a', canary: null, frozen: false },
            ...{ who, by: 'person', when: '2026-11-20T12:00:00.000Z', why: 'Faster' },
          },
        ],
      },
    ],
  });
  const act = (body: object, name = 'mfe_tasks') =>
    call(auth.url, releaseEndpoints.actOnRelease, {
      token: admin.token,
      params: { name },
      body: { act: 'rollback', seq: 7, reason: 'The page throws', ...body } as never,
    });

  it('respond 503 without a gateway; an act is logged first, then forwarded with its operator', async () => {
    const look = () => call(auth.url, releaseEndpoints.releases, { token: admin.token });
    expect((await look()).status).toBe(503);
    const passedOn: object[] = [];
    const gateway = [
      auth.backend.nats.serve(releasesRpc, async () => stateAt(7)),
      auth.backend.nats.serve(actOnReleaseRpc, async (request) => {
        if (request.seq !== 7) throw conflict('release-changed', 'Somebody else has changed this meanwhile.');
        passedOn.push({ ...request, audited: (await audited())?.action });
        return stateAt(8, request.who);
      }),
    ];
    await auth.backend.nats.nc.flush();
    expect((await look()).body).toEqual(stateAt(7));
    // The journal has the operator's id; who looks at it gets the name.
    expect((await act({ version: '1.0.0-a' })).body).toEqual(stateAt(8, 'operator'));
    expect(passedOn).toEqual([
      {
        ...{ name: 'mfe_tasks', act: 'rollback', seq: 7, version: '1.0.0-a', share: null },
        ...{ who: admin.id, why: 'The page throws', audited: 'module.rollback' },
      },
    ]);
    expect(await audited()).toMatchObject({
      ...{ action: 'module.rollback', target: 'mfe_tasks', adminId: admin.id },
      detail: { reason: 'The page throws', version: '1.0.0-a', seq: 7 },
    });
    expect((await act({ seq: 6 })).problem.type).toBe('release-changed');
    expect(passedOn).toHaveLength(1);
    await Promise.all(gateway.map((one) => one.stop()));
  });

  it('show no name for an operator whose account is erased', async () => {
    const leaving = await auth.signUp('leaving operator');
    const gateway = auth.backend.nats.serve(releasesRpc, async () => stateAt(7, leaving.id));
    await auth.backend.nats.nc.flush();
    const look = async () => (await call(auth.url, releaseEndpoints.releases, { token: admin.token })).body;
    expect(await look()).toEqual(stateAt(7, 'leaving operator'));
    const erasure = { token: leaving.token, params: { id: leaving.id }, body: { confirm: 'leaving operator' } };
    expect((await call(auth.url, userEndpoints.remove, erasure)).status).toBe(204);
    expect(await look()).toEqual(stateAt(7, 'Deleted user'));
    await gateway.stop();
  });

  it.each([
    [{ act: 'publish' }, 'act'],
    [{ reason: 'x' }, 'reason'],
    [{ act: 'canary', share: 0.1 }, 'version'],
    [{ act: 'canary', version: '1.0.0-a' }, 'share'],
    [{ act: 'canary', version: '1.0.0-a', share: 2 }, 'share'],
  ])('reject %o, naming the field %s', async (body, path) => {
    expect((await act(body)).problem.errors?.[0]?.path).toBe(path);
  });

  // The last one: the clock goes on for all of the file.
  it('reject an act if the sign-in is more than ten minutes old', async () => {
    await auth.clock.advance(FRESH_SIGN_IN_MS + 1_000);
    // After the jump it is not known for a moment who has signed out since.
    await expect.poll(async () => (await act({})).problem.type).toBe('sign-in-too-old');
  });

  it('with such a sign-in, a switch can be turned off but not on again', async () => {
    expect((await flip('claims', false, 'An emergency')).status).toBe(200);
    expect((await flip('claims', true, 'It is over')).problem.type).toBe('sign-in-too-old');
  });
});
