import type { RightsPage } from '@cord/contracts/rpc/rights';
import { rightsRpc } from '@cord/contracts/rpc/rights';
import { NATS_PAYLOAD_BYTES_MAX, RIGHTS_PAGE_ENTRIES } from '@cord/kit/bounds';
import { EndedSessions } from '@cord/kit/edge/ended-sessions';
import { sessionRevocationKey, userRevocationKey } from '@cord/kit/edge/session-state';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { data } from './data.js';
import { createRights, type Rights } from './rights.js';
import { createRevocationStore } from './store/revocations.js';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const SESSIONS = [randomId(), randomId(), randomId()].sort();
/** More than one page of entries holds. */
const USERS = Array.from({ length: RIGHTS_PAGE_ENTRIES + 5 }, () => randomId()).sort();
/** Of another form than ours. */
const ODD = 'odd';

const backend = forAllTests(() => startTestStore({ data, own: true }));
let rights: Rights;
beforeAll(async () => {
  const keys = [...[...SESSIONS, ODD].map(sessionRevocationKey), ...USERS.map(userRevocationKey)];
  const docs = keys.map((_id) => ({ _id, notBeforeMs: 7, untilMs: NOW_MS + 1 }));
  const past = { _id: sessionRevocationKey(randomId()), notBeforeMs: 7, untilMs: NOW_MS };
  await backend.store.collection<(typeof docs)[number]>('revocations').insertMany([...docs, past]);
  rights = createRights({
    nats: backend.nats,
    keys: { refresh: async () => [] } as unknown as Parameters<typeof createRights>[0]['keys'],
    revocations: createRevocationStore(backend.store),
    users: { admins: async () => [], adminsAmong: async () => [] } as unknown as Parameters<
      typeof createRights
    >[0]['users'],
    switches: async () => ({ off: [], spans: [] }),
    now: () => NOW_MS,
  });
});
afterAll(() => rights?.stop());

async function whole(): Promise<RightsPage[]> {
  const pages: RightsPage[] = [];
  for (let after: string | null = null; pages.length === 0 || after !== null; after = pages.at(-1)?.next ?? null)
    pages.push(await backend.nats.request(rightsRpc, { after }));
  return pages;
}
const keysIn = (pages: RightsPage[]) => pages.flatMap(({ entries }) => entries.map(({ key }) => key));

test('ended sessions stand packed beside the entries, of which a page never holds more than a message does', async () => {
  const pages = await whole();
  expect(keysIn(pages).sort()).toEqual([sessionRevocationKey(ODD), ...USERS.map(userRevocationKey)]);
  const ended = new EndedSessions();
  for (const page of pages) ended.addPacked(page.ended ?? '', SESSIONS.length);
  expect(ended.size).toBe(SESSIONS.length);
  for (const id of SESSIONS) expect(ended.has(id)).toBe(true);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(NATS_PAYLOAD_BYTES_MAX / 2);
});
