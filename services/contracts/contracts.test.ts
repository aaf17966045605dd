import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SERVICES } from './endpoint.js';
import { eventKind, kindName, kindNameIn, subjectOf } from './events/envelope.js';
import { EVENTS } from './events/index.js';
import { gatewayPermissions, permissionsFor, requestersOf } from './events/permissions.js';
import { consumedBy, STREAMS, streamOf } from './events/streams.js';
import { userUpdated } from './events/user.js';
import { checkinEndpoints } from './http/checkin.js';
import { ENDPOINTS } from './http/index.js';
import { leaderboardEndpoints } from './http/leaderboard.js';
import { logEndpoints } from './http/log.js';
import { miningEndpoints } from './http/mining.js';
import { switchEndpoints } from './http/switches.js';
import { userEndpoints } from './http/users.js';
import { LIVE_KINDS } from './live/kinds.js';
import { liveKindOf, liveSubject, liveSubjectsOf } from './live/subjects.js';
import { MANIFESTS } from './manifests/index.js';
import { AUDITED_SERVICES } from './rpc/audit.js';
import { HOLDING_SERVICES } from './rpc/export.js';
import { RPCS } from './rpc/index.js';
import { earningsRpc, rulesRpc } from './rpc/ledger.js';
import { PROMISING_SERVICES } from './rpc/parked.js';
import { RIGHTS_CHANGED, rightsRpc } from './rpc/rights.js';
import { fallbackSubject } from './rules/affinity.js';

/** Returns the exports of the files in a folder beside this one, by file. */
async function exportsOf(folder: string): Promise<[string, unknown][]> {
  const files = readdirSync(new URL(folder, import.meta.url)).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const modules = await Promise.all(files.map(async (name) => [name, await import(`./${folder}/${name}`)] as const));
  return modules.flatMap(([name, module]) => Object.values(module).map((each): [string, unknown] => [name, each]));
}

const OFTEN: ReadonlySet<string> = new Set(['read', 'save', 'stop', 'rpc']);

describe('lists', () => {
  test('every event that a file declares is in EVENTS', async () => {
    const isEvent = (value: unknown) => value instanceof Object && 'thing' in value && 'verb' in value;
    const declared = (await exportsOf('events')).filter(([, value]) => isEvent(value));
    expect(declared.length).toBeGreaterThanOrEqual(EVENTS.length);
    expect(declared.filter(([, value]) => !EVENTS.includes(value as never)).map(([name]) => name)).toEqual([]);
  });
  test('every call that a file declares is in ENDPOINTS', async () => {
    const isEndpoint = (value: unknown) => value instanceof Object && 'method' in value && 'path' in value;
    const groups = (await exportsOf('http')).filter(
      ([, value]) => value instanceof Object && !Array.isArray(value) && Object.values(value).some(isEndpoint),
    );
    const missing = groups.filter(([, group]) =>
      Object.values(group as object).some((each) => !ENDPOINTS.includes(each)),
    );
    expect(groups.length).toBeGreaterThan(10);
    expect(missing.map(([name]) => name)).toEqual([]);
  });
  test('every declared address belongs to a call in ENDPOINTS', async () => {
    const ids = (await exportsOf('addresses')).flatMap(([, value]) => (value as { id?: string }).id ?? []);
    expect(ids.length).toBeGreaterThan(100);
    expect(ids.filter((id) => !ENDPOINTS.some((each) => each.id === id))).toEqual([]);
  });
  test('every request that a file declares is in RPCS', async () => {
    const isRequest = (value: unknown) => value instanceof Object && 'subject' in value && 'reply' in value;
    const declared = (await exportsOf('rpc')).filter(([, value]) => isRequest(value));
    expect(declared.length).toBeGreaterThan(10);
    expect(declared.filter(([, value]) => !RPCS.includes(value as never)).map(([name]) => name)).toEqual([]);
  });
  test('a request goes to each replica only when its caller cannot continue while one is cut off', () => {
    const each = RPCS.filter(({ toEach }) => toEach).map(({ subject }) => subject.replace('cord.rpc.v1.', ''));
    const ofServices = /^(audit|export|parked)\.\w+$/;
    expect(each.filter((name) => !ofServices.test(name)).sort()).toEqual([
      ...['checkin.outages', 'ledger.account.referrals', 'ledger.earnings', 'ledger.epochs', 'ledger.running'],
      ...['rank.card', 'referral.owner', 'releases.list', 'user.past', 'user.registration'],
    ]);
    expect(each.filter((name) => ofServices.test(name))).toHaveLength(
      AUDITED_SERVICES.length + HOLDING_SERVICES.length + PROMISING_SERVICES.length,
    );
  });
});

describe('endpoints', () => {
  test('every call has its own name and its own address', () => {
    const ids = ENDPOINTS.map((e) => e.id);
    const addresses = ENDPOINTS.map((e) => `${e.method} ${e.path.replace(/:\w+/g, ':')}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
  test('every call below /admin is for admins; others that name a user are for that user, except the three listed', () => {
    for (const { id, path, access } of ENDPOINTS) if (path.startsWith('/admin/')) expect(access, id).toBe('admin');
    const ofOthers = ENDPOINTS.filter(
      ({ path, access }) => /^\/users\/:id\b|^(?!\/admin).*\/:userId\b/.test(path) && access !== 'self',
    );
    expect(ofOthers.map(({ id }) => id)).toEqual(['users.get', 'users.username', 'referrals.release']);
  });
  test('the longest matching path in services/README.md is in the row of the service that owns the call', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| \[(\w+)\].* \| (\/.*) \|$/gm)];
    const paths = rows.flatMap(([, service, list = '']) => list.split(', ').map((path) => ({ service, path })));
    const ownerOf = (path: string) =>
      paths
        .filter((each) => `${path.replace(/:\w+/g, '{id}')}/`.startsWith(`${each.path}/`))
        .sort((one, other) => other.path.length - one.path.length)[0]?.service;
    const raw = SERVICES.flatMap((service) => (MANIFESTS[service].raw ?? []).map(({ path }) => ({ service, path })));
    const wrong = [...ENDPOINTS, ...raw].filter(({ service, path }) => ownerOf(path) !== service);
    expect(wrong.map(({ service, path }) => `${service} ${path}`)).toEqual([]);
  });
  test('calls that share a budget have one rate class and one service', () => {
    for (const e of ENDPOINTS) {
      const together = ENDPOINTS.filter(({ budget }) => budget === e.budget);
      expect(new Set(together.map(({ rateClass, service }) => `${service} ${rateClass}`)).size, e.budget).toBe(1);
    }
  });
  test('every write of an admin requires a fresh sign-in, or gives the reason why not', () => {
    const writes = ENDPOINTS.filter(({ access, method }) => access === 'admin' && method !== 'GET');
    expect(writes.filter(({ fresh }) => fresh === undefined).map(({ id }) => id)).toEqual([]);
    const without = writes.filter(({ fresh }) => typeof fresh === 'string').map(({ id }) => id);
    expect(without.sort()).toEqual(['admin.answer', 'admin.take', 'epochs.preview']);
    // A public call has no sign-in that could be fresh.
    expect(ENDPOINTS.filter(({ access, fresh }) => access === 'public' && fresh !== undefined)).toEqual([]);
  });
  test('deleting and exporting the own account require a fresh sign-in', () => {
    expect([userEndpoints.remove.fresh, userEndpoints.export.fresh]).toEqual([true, true]);
  });
  test('a proof of the ledger, which grows with the account, is limited like the data export', () => {
    expect([userEndpoints.export.rateClass, logEndpoints.proof.rateClass]).toEqual(['claim', 'claim']);
  });
  test('a kill switch is switched off with any sign-in, and on only with a fresh one', () => {
    const { fresh } = switchEndpoints.throwSwitch;
    const wanted = (on: boolean) => typeof fresh === 'object' && fresh.of({ on, why: 'a reason' });
    expect([wanted(false), wanted(true)]).toEqual([false, true]);
  });
  test('only saves of all writes are accepted while the sign-in state is stale', () => {
    const going = ENDPOINTS.filter(({ whileStale }) => whileStale);
    expect(going).toEqual(ENDPOINTS.filter(({ rateClass }) => rateClass === 'save'));
    expect(going.map(({ id }) => id)).toContain(miningEndpoints.save.id);
  });
  test('frequent calls keep no response for an Idempotency-Key, and only non-public POST calls may ignore one', () => {
    const ignoring = ENDPOINTS.filter(({ ignoresKey }) => ignoresKey);
    expect(ignoring.every(({ method, access }) => method === 'POST' && access !== 'public')).toBe(true);
    const often = ENDPOINTS.filter(({ method, rateClass }) => method === 'POST' && OFTEN.has(rateClass));
    expect(often.filter(({ ignoresKey }) => !ignoresKey).map(({ id }) => id)).toEqual([]);
  });
  test('an unknown query or body field is rejected', () => {
    const query = miningEndpoints.history.query.safeParse({ limit: '5', extra: 1 });
    expect(query.success).toBe(false);
    expect(userEndpoints.update.body.safeParse({ nonsense: 1 }).success).toBe(false);
  });
  test('a profile update with economic fields is accepted', () => {
    const parsed = userEndpoints.update.body.parse({ current_balance: 'x', hasbadgeofhonor: true, theme: 'dark' });
    expect(parsed).toMatchObject({ theme: 'dark' });
  });
  test('a list length that is 0, negative, fractional or text is rejected', () => {
    for (const limit of ['0', '-1', '1.5', 'ten', '']) {
      expect(miningEndpoints.history.query.safeParse({ limit }).success, limit).toBe(false);
      expect(leaderboardEndpoints.list.query.safeParse({ limit }).success, limit).toBe(false);
      expect(checkinEndpoints.history.query.safeParse({ days: limit }).success, limit).toBe(false);
    }
  });
  test('the leaderboard defaults to 10 entries without a period and 100 with one', () => {
    expect(leaderboardEndpoints.list.query.parse({})).toMatchObject({ limit: 10, period: 'all-time' });
    expect(leaderboardEndpoints.list.query.parse({ period: 'weekly' })).toMatchObject({ limit: 100, period: 'weekly' });
  });
});

describe('events', () => {
  test('every event belongs to exactly one stream', () => {
    for (const event of EVENTS)
      expect(STREAMS.filter((s) => s.subjects.includes(`cord.${event.thing}.*.>`))).toHaveLength(1);
    expect(() => streamOf('nothing')).toThrow();
  });
  test('v2 of a subject shares stream and owner with v1, and differs in its name', () => {
    const v2 = eventKind('user', 'updated', 1_024, {}, 2);
    const user = 'a'.repeat(32);
    expect([subjectOf(v2, user), subjectOf(userUpdated, user)]).toEqual([
      `cord.user.v2.updated.${user}`,
      `cord.user.v1.updated.${user}`,
    ]);
    expect([kindName(v2), kindNameIn(subjectOf(v2, user))]).toEqual(['user.v2.updated', 'user.v2.updated']);
    expect(kindNameIn(subjectOf(userUpdated, user))).toBe(kindName(userUpdated));
    for (const service of SERVICES)
      expect(permissionsFor(service).publish.includes('cord.user.*.>'), service).toBe(service === 'auth');
  });
});

describe('permissions', () => {
  const matches = (pattern: string, subject: string) => {
    const [p, s] = [pattern.split('.'), subject.split('.')];
    for (const [i, token] of p.entries()) {
      if (token === '>') return s.length > i;
      if (token !== '*' && token !== s[i]) return false;
    }
    return p.length === s.length;
  };
  const mayPublish = (service: (typeof SERVICES)[number], subject: string) =>
    permissionsFor(service).publish.some((pattern) => matches(pattern, subject));

  test('only its owner may publish an event', () => {
    const user = 'a'.repeat(32);
    for (const event of EVENTS)
      for (const service of SERVICES)
        for (const version of [1, 2])
          expect(mayPublish(service, subjectOf({ ...event, version }, user, 'ofTwo' in event ? user : undefined))).toBe(
            streamOf(event.thing).owner === service,
          );
  });
  test('each live kind has one sender, notices receives all and publishes no event, the gateway sends only releases', () => {
    const user = 'a'.repeat(32);
    for (const kind of LIVE_KINDS) {
      const subject = liveSubject(kind, user);
      expect(liveKindOf(subject)).toBe(kind);
      expect(matches(liveSubjectsOf(user), subject)).toBe(true);
      const senders = SERVICES.filter((service) => mayPublish(service, subject));
      expect(senders, kind).toEqual(SERVICES.filter((s) => MANIFESTS[s].liveKinds.includes(kind)));
      // No service sends the gateway's kind.
      expect(senders.length, kind).toBe(kind === 'release' ? 0 : 1);
    }
    const withFallback = (...subjects: string[]) => subjects.flatMap((subject) => [subject, fallbackSubject(subject)]);
    const { publish, subscribe } = permissionsFor('notices');
    const subjects = publish.filter((subject) => !subject.startsWith('$JS.'));
    expect(subjects).toEqual([
      'cord.dead.v1.notices.>',
      'cord.clock.v1.notices.*',
      'cord.presence.v1.notices',
      'cord.live.v1.notices.*',
      ...withFallback(
        earningsRpc.subject,
        rulesRpc.subject,
        'cord.rpc.v1.checkin.excused',
        'cord.rpc.v1.rank.card',
        'cord.rpc.v1.referral.owner',
      ),
      rightsRpc.subject,
    ]);
    expect(publish.filter((subject) => /CREATE|DELETE|PURGE|UPDATE|MSG\.GET/.test(subject))).toEqual([
      '$JS.API.STREAM.MSG.GET.CORD_CLOCKS',
    ]);
    const answered = withFallback('cord.rpc.v1.export.notices');
    expect(subscribe).toEqual(['_INBOX_notices.>', RIGHTS_CHANGED, 'cord.live.v1.*.*', ...answered]);
    expect(
      SERVICES.filter((s) => s !== 'notices' && permissionsFor(s).subscribe.some((p) => p.includes('live'))),
    ).toEqual([]);
    expect(gatewayPermissions()).toMatchObject({
      publish: ['cord.live.v1.release.*', rightsRpc.subject],
      subscribe: [
        '_INBOX_gateway.>',
        RIGHTS_CHANGED,
        ...withFallback('cord.rpc.v1.releases.list', 'cord.rpc.v1.releases.act'),
      ],
    });
  });
  test('no service may publish rights, create a bucket of them, use direct get, or act for a replica of another', () => {
    for (const service of SERVICES)
      for (const subject of [RIGHTS_CHANGED, '$KV.cord_roles.x', '$JS.API.DIRECT.GET.CORD_USERS.cord.user.v1.x'])
        expect(mayPublish(service, subject), `${service} ${subject}`).toBe(false);
    expect(mayPublish('tasks', 'cord.replica.v1.mining')).toBe(false);
  });
  test('only its service may query and read a durable consumer, and none may create or delete one', () => {
    for (const owner of SERVICES)
      for (const stream of consumedBy(owner))
        for (const service of SERVICES) {
          for (const act of ['INFO', 'MSG.NEXT'])
            expect(mayPublish(service, `$JS.API.CONSUMER.${act}.${stream}.${owner}`)).toBe(service === owner);
          for (const act of ['CREATE', 'DURABLE.CREATE', 'DELETE'])
            expect(mayPublish(service, `$JS.API.CONSUMER.${act}.${stream}.${owner}`), `${service} ${act}`).toBe(false);
        }
  });
  test('the requesters of a subject are the services whose table lists it', () => {
    expect(requestersOf('cord.rpc.v1.ledger.credit.tasks')).toEqual(['tasks']);
    expect(requestersOf('cord.rpc.v1.ledger.credit.tasks.p63')).toEqual(['tasks']);
    expect(requestersOf('cord.rpc.v1.ledger.accrue.referrals.p0')).toEqual(['referrals']);
    expect(requestersOf('cord.rpc.v1.ledger.credit.*')).toEqual([]);
    expect(requestersOf('cord.rpc.v1.audit.note')).toEqual(['setup']);
    for (const subject of ['export.tasks.p1', 'ledger.credit.p1', 'ledger.credit.tasks.p', 'ledger.credit.tasks.7'])
      expect(requestersOf(`cord.rpc.v1.${subject}`), subject).toEqual([]);
    expect(requestersOf('cord.rpc.v1.export.tasks')).toEqual(['auth']);
    expect(requestersOf('cord.rpc.v1.republish.tasks')).toEqual(['setup']);
    expect(requestersOf('cord.rights.v1.state')).toEqual([...SERVICES, 'gateway']);
  });
});
