import { adminEndpoints } from '@cord/contracts/http/admin';
import { authEndpoints } from '@cord/contracts/http/auth';
import { supportEndpoints } from '@cord/contracts/http/support';
import { switchEndpoints } from '@cord/contracts/http/switches';
import { userEndpoints } from '@cord/contracts/http/users';
import { FRESH_SIGN_IN_MS } from '@cord/contracts/rules/timings';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { allPages } from '@cord/kit/testing/pages';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Person, startAuth } from '../test/auth.js';
import { hash32, mineAt } from '../test/events.js';

const auth = forAllTests(() => startAuth());
let admin: Person;
let harbour: Person;

beforeAll(async () => {
  admin = await auth.signUp('ines.ops');
  await makeAdmin(admin);
  harbour = await auth.signUp('Harbour_77');
  await auth.signUp('harb');
  await auth.signUp('renata_');
});

async function makeAdmin({ id, token }: Person): Promise<void> {
  await auth.makeAdmin({ id });
  await eventually(async () => (await call(auth.url, adminEndpoints.users, { token })).status === 200);
}

const found = async (query: Record<string, string>) =>
  (await call(auth.url, adminEndpoints.users, { token: admin.token, query })).body;
const namesOf = async (query: Record<string, string>) => (await found(query)).users.map(({ username }) => username);
const trail = async (query: Record<string, string> = {}) =>
  (await call(auth.url, supportEndpoints.audit, { token: admin.token, query })).body.entries;
const change = (
  id: string,
  body: { cleared?: boolean; admin?: boolean },
  token = admin.token,
  reason = 'A household',
) => call(auth.url, supportEndpoints.changeUser, { token, params: { id }, body: { ...body, reason } });
const undo = (id: string, { token } = admin, reason = 'A mistake') =>
  call(auth.url, adminEndpoints.undo, { token, params: { id }, body: { reason } });

describe('accounts', () => {
  it('are found by prefix of the name, then of the id, page by page, and can be filtered by role', async () => {
    expect(await namesOf({ search: 'hARb' })).toEqual(['harb', 'Harbour_77']);
    expect(await namesOf({ search: 'harb.*' })).toEqual([]);
    expect(await namesOf({ search: harbour.id.slice(0, 12).toUpperCase() })).toEqual(['Harbour_77']);
    expect(await namesOf({ role: 'admin' })).toEqual(['ines.ops']);
    expect(await namesOf({ role: 'admin', search: harbour.id })).toEqual([]);
    const all = await namesOf({});
    expect(all).toEqual(['harb', 'Harbour_77', 'ines.ops', 'renata_']);
    const pages = await allPages((query) => found({ ...query, limit: '1' }));
    expect(pages.flatMap(({ users }) => users.map(({ username }) => username))).toEqual(all);

    // One whose name begins as another's id does: by name first, then by id, and none twice.
    const begin = harbour.id.slice(0, 6);
    await auth.signUp(`${begin}z`);
    const both = await allPages((query) => found({ search: begin, ...query, limit: '1' }));
    expect(both.flatMap(({ users }) => users.map(({ username }) => username))).toEqual([`${begin}z`, 'Harbour_77']);
  });

  it('with an emoji in the name are listed and found like others, and in the support queue too', async () => {
    const named = ['🦊 renard', 'zora🦊'];
    const [, zora] = [await auth.signUp('🦊 renard'), await auth.signUp('zora🦊')];
    expect((await namesOf({})).filter((name) => named.includes(name))).toEqual(['zora🦊', '🦊 renard']);
    expect(await namesOf({ search: '🦊' })).toEqual(['🦊 renard']);
    expect(await namesOf({ search: 'Zora' })).toEqual(['zora🦊']);
    const body = { kind: 'support' as const, subject: 'A question', text: 'Where do I find it?' };
    await call(auth.url, supportEndpoints.file, { token: zora.token, body });
    const queue = await call(auth.url, supportEndpoints.queue, { token: admin.token, query: { search: 'zora' } });
    expect(queue.body.requests.map(({ username }) => username)).toEqual(['zora🦊']);
  });

  it('show where they mined and their sessions, and each view is logged', async () => {
    const [most, least] = [hash32('most'), hash32('least')];
    const at = { userId: harbour.id, seq: 1 };
    await mineAt(auth.backend.nats, auth.clock, { ...at, addressHash: most, minutes: 90 });
    await mineAt(auth.backend.nats, auth.clock, { ...at, addressHash: least, minutes: 20, seq: 2 });
    const network = () => call(auth.url, adminEndpoints.network, { token: admin.token, params: { id: harbour.id } });
    const { body } = await eventually(async () => {
      const seen = await network();
      return seen.body.addresses.length === 2 && seen.body.addresses[0]?.counts && seen;
    });
    expect(body.addresses).toMatchObject([
      { key: most, users: 1, shared: false, minedMs: 90 * 60_000, lastMinedAt: expect.any(String), counts: true },
      { key: least, users: 0, minedMs: 20 * 60_000, counts: false },
    ]);
    expect(body.cleared).toBe(false);
    const listed = (await found({ search: 'harbour' })).users[0];
    expect(listed).toMatchObject({ isAdmin: false, network: { penaltyLevel: 0, efficiencyMultiplier: 1 } });
    const own = { token: admin.token, params: { id: harbour.id } };
    const { sessions } = (await call(auth.url, adminEndpoints.sessions, own)).body;
    expect(sessions).toEqual([
      {
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        lastSeenAt: expect.any(String),
        device: expect.any(String),
      },
    ]);
    const looks = await trail({ act: 'user.looked-up', limit: '2' });
    expect(looks.map(({ detail, on, by, undo: may }) => [detail.at, on, by, may])).toEqual(
      ['sessions', 'network'].map((where) => [where, 'Harbour_77', 'ines.ops', null]),
    );
    const unknown = { token: admin.token, params: { id: 'f'.repeat(32) } };
    for (const endpoint of [adminEndpoints.network, adminEndpoints.sessions]) {
      expect((await call(auth.url, endpoint, unknown)).status).toBe(404);
    }
  });

  it('are signed out everywhere by an operator, with the reason in the audit log, but not the operator’s own', async () => {
    const again = await auth.signIn(harbour.account);
    const end = (id: string) =>
      call(auth.url, adminEndpoints.endSessions, {
        token: admin.token,
        params: { id },
        body: { reason: 'Lost phone' },
      });
    expect((await end(admin.id)).body).toMatchObject({ type: 'own-sessions' });
    expect((await end(harbour.id)).body).toEqual({ ended: 2 });
    for (const { token } of [harbour, again]) {
      expect((await call(auth.url, authEndpoints.me, { token })).status).toBe(401);
    }
    expect(await trail({ on: harbour.id, limit: '1' })).toMatchObject([
      { action: 'sessions.ended', detail: { reason: 'Lost phone', sessions: 2 }, undo: null },
    ]);
    harbour = await auth.signIn(harbour.account);
  });
});

describe('the audit log', () => {
  it('filters by operator, act, target and time, and reads to its end page by page', async () => {
    const olek = await auth.signUp('olek');
    await makeAdmin(olek);
    await change(harbour.id, { cleared: true }, olek.token);
    const from = new Date(auth.clock.now() + 1_000).toISOString();
    await auth.clock.advance(2_000);
    await change(harbour.id, { cleared: false });
    const acts = async (query: Record<string, string>) => (await trail(query)).map(({ action }) => action);
    expect(await acts({ by: olek.id })).toEqual(['user.cleared']);
    expect(await acts({ act: 'user.cleared,user.uncleared' })).toEqual(['user.uncleared', 'user.cleared']);
    expect(await acts({ act: 'user.cleared,user.uncleared', by: admin.id })).toEqual(['user.uncleared']);
    expect(await acts({ on: 'harbour_77', act: 'user.cleared' })).toEqual(['user.cleared']);
    expect(await acts({ on: 'Nobody', from })).toEqual([]);
    expect(await acts({ from })).toEqual(['user.uncleared']);
    expect(await acts({ on: harbour.id, to: from, limit: '1' })).toEqual(['user.cleared']);
    const query = { on: 'HARBOUR_77' };
    const whole = await trail(query);
    const pages = await allPages(async (page) => {
      const wanted = { ...query, ...page, limit: '2' };
      return (await call(auth.url, supportEndpoints.audit, { token: admin.token, query: wanted })).body;
    });
    expect(whole.length).toBeGreaterThan(3);
    expect(pages.flatMap(({ entries }) => entries)).toEqual(whole);
  });

  it('undoes an act once, by its counterpart, which is logged with the reason and the id of the first act', async () => {
    const key = hash32('most');
    const author = await auth.signUp('author of a case');
    const mark = { token: admin.token, params: { key }, body: { shared: true, reason: 'A school', about: author.id } };
    await call(auth.url, supportEndpoints.markAddress, mark);
    await call(auth.url, switchEndpoints.throwSwitch, {
      ...{ token: admin.token, params: { name: 'claims' } },
      body: { on: false, why: 'Under repair' },
    });
    await change(harbour.id, { cleared: true });
    for (const [action, target, counterpart] of [
      ['user.cleared', harbour.id, 'user.uncleared'],
      ['switch.off', 'claims', 'switch.on'],
      ['address.shared', key, 'address.unshared'],
    ] as const) {
      const [first] = await trail({ act: action, on: target, limit: '1' });
      expect(first?.undo).toBe('open');
      expect((await undo(first?.id ?? '')).body).toEqual({ undone: true });
      const [second, before] = await trail({ on: target, limit: '2' });
      expect(second).toMatchObject({ action: counterpart, adminId: admin.id, detail: { undoes: first?.id } });
      expect(Object.values(second?.detail ?? {})).toContain('A mistake');
      expect([before?.id, before?.undo]).toEqual([first?.id, 'done']);
      expect((await undo(first?.id ?? '')).body).toMatchObject({ status: 409, type: 'no-longer-so' });
    }
    // Also once the same is so again, by an act of its own.
    const [undone] = await trail({ act: 'user.cleared', on: harbour.id, limit: '1' });
    await change(harbour.id, { cleared: true });
    expect((await undo(undone?.id ?? '')).body).toMatchObject({ status: 409, type: 'no-longer-so' });
    await change(harbour.id, { cleared: false });
    const { switches } = (await call(auth.url, switchEndpoints.switches, { token: admin.token })).body;
    expect(switches.every(({ on }) => on)).toBe(true);
    expect(
      (await call(auth.url, adminEndpoints.network, { token: admin.token, params: { id: harbour.id } })).body,
    ).toMatchObject({
      cleared: false,
      addresses: [{ shared: false }, {}],
    });
    // What was written with the mark, and with its undo, is about the author of the case and goes with them.
    const erasure = { token: author.token, params: { id: author.id }, body: { confirm: 'author of a case' } };
    expect((await call(auth.url, userEndpoints.remove, erasure)).status).toBe(204);
    const left = (await trail({ on: key, act: 'address.shared,address.unshared' })).map(({ detail }) => detail);
    expect(left).toEqual([{ undoes: expect.any(String) }, {}]);
    const [look] = await trail({ act: 'user.looked-up', limit: '1' });
    expect((await undo(look?.id ?? '')).body).toMatchObject({ status: 422, type: 'no-undo' });
    expect((await undo('f'.repeat(32))).body).toMatchObject({ status: 404, type: 'no-such-entry' });
  });
});

it('acts and undo require a sign-in of the last ten minutes; views accept an older one', async () => {
  const chief = await auth.signUp('chief');
  await makeAdmin(chief);
  expect((await change(admin.id, { admin: false }, chief.token)).body).toMatchObject({ isAdmin: false });
  await makeAdmin(admin);
  await auth.clock.advance(FRESH_SIGN_IN_MS + 1_000);
  const look = { token: chief.token, params: { id: harbour.id } };
  await eventually(async () => (await call(auth.url, adminEndpoints.sessions, look)).status === 200);
  const [taken] = await trail({ act: 'role.user', limit: '1' });
  const end = { token: chief.token, params: { id: harbour.id }, body: { reason: 'Lost phone' } };
  for (const refused of [
    await change(admin.id, { admin: false }, chief.token),
    await change(admin.id, { cleared: true }, chief.token),
    await call(auth.url, adminEndpoints.endSessions, end),
    await undo(taken?.id ?? '', chief),
  ]) {
    expect([refused.status, refused.body]).toMatchObject([403, { type: 'sign-in-too-old' }]);
  }
  const again = await auth.signIn(chief.account);
  expect((await change(admin.id, { admin: false }, again.token)).body).toMatchObject({ isAdmin: false });
  const made = await call(auth.url, supportEndpoints.audit, {
    token: again.token,
    query: { act: 'role.user', limit: 1 },
  });
  expect((await undo(made.body.entries[0]?.id ?? '', again)).body).toEqual({ undone: true });
  expect((await found({ role: 'admin' })).users.map(({ username }) => username)).toContain('ines.ops');
});
