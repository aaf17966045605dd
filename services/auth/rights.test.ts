import type { RightsPage } from '@cord/contracts/rpc/rights';
import { rightsRpc } from '@cord/contracts/rpc/rights';
import { NATS_PAYLOAD_BYTES_MAX, RIGHTS_PAGE_ENTRIES } from '@cord/kit/bounds';
import { EndedSessions } from '@cord/kit/edge/ended-sessions';
import { roleKey, sessionRevocationKey, userRevocationKey } from '@cord/kit/edge/session-state';
import type { Nats } from '@cord/kit/nats';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { data } from './data.js';
import { ROLE_WAIT_MS } from './domain/role.js';
import { createRights, type Rights } from './rights.js';
import { createRevocationStore } from './store/revocations.js';
import { createSessionStore } from './store/sessions.js';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const SESSIONS = [randomId(), randomId(), randomId()].sort();
/** More than one page of entries holds. */
const USERS = Array.from({ length: RIGHTS_PAGE_ENTRIES + 5 }, () => randomId()).sort();
/** Of another form than ours. */
const ODD = 'odd';

const backend = forAllTests(() => startTestStore({ data, own: true }));
const revocations = () => createRevocationStore(backend.store);
let admins: object[] = [];
const rightsBy = (nats: Nats, nowMs = NOW_MS): Rights =>
  createRights({
    nats,
    keys: { refresh: async () => [] } as unknown as Parameters<typeof createRights>[0]['keys'],
    revocations: revocations(),
    sessions: createSessionStore(backend.store),
    users: { admins: async () => admins, adminsAmong: async () => admins } as unknown as Parameters<
      typeof createRights
    >[0]['users'],
    switches: async () => ({ off: [], spans: [] }),
    roleWaitMs: ROLE_WAIT_MS,
    now: () => nowMs,
  });
let rights: Rights;
beforeAll(async () => {
  const keys = [...[...SESSIONS, ODD].map(sessionRevocationKey), ...USERS.map(userRevocationKey)];
  const docs = keys.map((_id) => ({ _id, notBeforeMs: 7, untilMs: NOW_MS + 1 }));
  const past = { _id: sessionRevocationKey(randomId()), notBeforeMs: 7, untilMs: NOW_MS };
  await backend.store.collection<(typeof docs)[number]>('revocations').insertMany([...docs, past]);
  rights = rightsBy(backend.nats);
});
afterAll(() => rights?.stop());

async function whole(): Promise<RightsPage[]> {
  const pages: RightsPage[] = [];
  for (let after: string | null = null; pages.length === 0 || after !== null; after = pages.at(-1)?.next ?? null)
    pages.push(await backend.nats.request(rightsRpc, { after }));
  return pages;
}
const keysIn = (pages: RightsPage[]) => pages.flatMap(({ entries }) => entries.map(({ key }) => key));

test('ended sessions are packed beside the entries, in pages of less than half the largest message', async () => {
  const pages = await whole();
  expect(keysIn(pages).sort()).toEqual([sessionRevocationKey(ODD), ...USERS.map(userRevocationKey)]);
  const ended = new EndedSessions();
  for (const page of pages) ended.addPacked(page.ended ?? '', SESSIONS.length);
  expect(ended.size).toBe(SESSIONS.length);
  for (const id of SESSIONS) expect(ended.has(id)).toBe(true);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(NATS_PAYLOAD_BYTES_MAX / 2);
});

test('while NATS is away, a call ends all its sessions, even of a clock ahead, and gets rights-not-announced', async () => {
  const sessions = createSessionStore(backend.store);
  const begin = async (userId: string, createdAtMs: number) => {
    const session = { _id: randomId(), userId, createdAtMs, expiresAtMs: NOW_MS + 1, lastSeenAtMs: createdAtMs };
    await sessions.insert({ ...session, device: 'Firefox' });
    return session._id;
  };
  const open = async (userId: string) => (await sessions.ofUser(userId, NOW_MS)).map(({ _id }) => _id);
  const [owner, stranger] = [randomId(), randomId()];
  const [own, three] = [await begin(owner, NOW_MS - 9), []] as [string, string[]];
  for (let n = 0; n < 3; n += 1) three.push(await begin(owner, NOW_MS - 9));
  for (const createdAtMs of [NOW_MS - 9, NOW_MS]) await begin(stranger, createdAtMs);
  const ahead = await begin(stranger, NOW_MS + 4_000);
  const away = rightsBy({ ...backend.nats, connected: () => false });
  const unannounced = expect.objectContaining({ status: 503, type: 'rights-not-announced' });

  await expect(away.endSessions(three)).rejects.toEqual(unannounced);
  const keys = three.map(sessionRevocationKey);
  expect((await revocations().among(keys, NOW_MS)).map(({ key }) => key).sort()).toEqual(keys.sort());
  expect(await open(owner)).toEqual([own]);

  await expect(away.revokeUser(stranger)).rejects.toEqual(unannounced);
  // One that began at a replica whose clock is ahead is of after the end by ours: it ends by its id.
  const ended = [userRevocationKey(stranger), sessionRevocationKey(ahead)];
  expect(await revocations().among(ended, NOW_MS)).toHaveLength(2);
  const later = await begin(stranger, NOW_MS + 1);
  expect(await open(stranger)).toEqual([later]);

  await away.endSessions([]);
  await away.stop();
});

test('ending a user’s sessions at a replica whose clock is behind restores no session that another one ended', async () => {
  const userId = randomId();
  const behind = rightsBy(backend.nats, NOW_MS - 4_000);
  await rights.revokeUser(userId);
  await behind.revokeUser(userId);
  expect(await revocations().among([userRevocationKey(userId)], NOW_MS)).toEqual([
    { key: userRevocationKey(userId), notBeforeMs: NOW_MS + 1 },
  ]);
  await behind.stop();
});

test('a role confirms from when it is held, or a day later if an admin granted it', async () => {
  admins = [
    { _id: 'a'.repeat(32), joinedAtMs: 1, adminSinceMs: 5, roleFrom: 'config' },
    // Registered as an admin.
    { _id: 'b'.repeat(32), joinedAtMs: 2 },
    { _id: 'c'.repeat(32), joinedAtMs: 3, adminSinceMs: 6, roleFrom: 'admin' },
  ];
  const [first] = await whole();
  admins = [];
  expect(first?.entries.slice(0, 3)).toEqual([
    { key: roleKey('a'.repeat(32)), value: { roles: ['admin'], confirmsFromMs: 5 } },
    { key: roleKey('b'.repeat(32)), value: { roles: ['admin'], confirmsFromMs: 2 } },
    { key: roleKey('c'.repeat(32)), value: { roles: ['admin'], confirmsFromMs: 6 + 24 * 3_600_000 } },
  ]);
});
