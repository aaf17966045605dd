import type { RightsEntry, RightsPage } from '@cord/contracts/rpc/rights';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import { SWITCHES_KEY, type SwitchesState } from '@cord/contracts/switches';
import { RIGHTS_PAGE_ENDED, RIGHTS_PAGE_ENTRIES } from '@cord/kit/bounds';
import { isPackable, packSessions } from '@cord/kit/edge/ended-sessions';
import { serveRights } from '@cord/kit/edge/rights-source';
import {
  revokedSessionOf,
  roleKey,
  sessionRevocationKey,
  signingKeyKey,
  userRevocationKey,
} from '@cord/kit/edge/session-state';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import { unavailable } from '@cord/kit/problem';
import type { UserDoc } from './domain/user-doc.js';
import type { KeyRing } from './keys/key-ring.js';
import type { Held, RevocationStore } from './store/revocations.js';
import type { SessionStore } from './store/sessions.js';
import type { UserStore } from './store/users.js';

/**
 * What every service needs about sessions: keys, revocations, roles. The store is the truth and the only copy here:
 * services request it when a message announces a change (services/README.md#sign-in-and-rights).
 */
export interface Rights extends Consuming {
  /** These sessions end, here at once and everywhere within a second. @throws Problem 503 when it cannot be published; the store has all of it, and it is published later */
  endSessions(jtis: readonly string[]): Promise<void>;
  /** Every session of the user that was issued up to now ends. @throws Problem 503 as above */
  revokeUser(userId: string): Promise<void>;
  /** Announces a change of the switches in the store. @throws Problem 503 as above */
  publishSwitches(): Promise<void>;
  /** Announces a change of the user's role in the store. @throws Problem 503 as above */
  publishRole(userId: string): Promise<void>;
  /** Makes the keys that are due, takes away those that are past, and publishes which have changed. */
  sweep(): Promise<void>;
}

/** Type of the 503 of a change that is stored and could not be announced. */
export const RIGHTS_NOT_ANNOUNCED = 'rights-not-announced';

/** @param nats the connection of auth's own account */
export function createRights(deps: {
  nats: Nats;
  keys: KeyRing;
  revocations: RevocationStore;
  sessions: Pick<SessionStore, 'end' | 'endAll' | 'ofUser'>;
  users: UserStore;
  /** Which switches are off, and when they were. */
  switches: () => Promise<SwitchesState>;
  /** How long a role that an admin gave is held before it confirms what others propose, ms. */
  roleWaitMs: number;
  now: () => number;
}): Rights {
  const { nats, keys, revocations, sessions, users, switches, roleWaitMs, now } = deps;
  let publishedKids: readonly string[] = [];

  /** An account that was registered as an admin is one since it joined. */
  const roleOf = ({ adminSinceMs, joinedAtMs, roleFrom }: UserDoc) => {
    const sinceMs = adminSinceMs ?? joinedAtMs;
    return { roles: ['admin'], confirmsFromMs: roleFrom === 'admin' ? sinceMs + roleWaitMs : sinceMs };
  };

  const desk = serveRights(nats, { values, page });

  async function values(names: readonly string[]): Promise<RightsEntry[]> {
    const idsOf = (kind: string) =>
      names.flatMap((name) => (name.startsWith(`${kind}.`) ? [name.slice(kind.length + 1)] : []));
    const found = new Map<string, unknown>();
    // Read anew: another replica may have made it a moment ago.
    if (idsOf('key').length > 0)
      for (const entry of keyEntries(await keys.refresh())) found.set(entry.key, entry.value);
    for (const admin of await users.adminsAmong(idsOf('role'))) found.set(roleKey(admin._id), roleOf(admin));
    for (const entry of await revocations.among(names, now())) found.set(entry.key, { notBeforeMs: entry.notBeforeMs });
    if (names.includes(SWITCHES_KEY)) found.set(SWITCHES_KEY, await switches());
    return names.map((key) => ({ key, value: found.get(key) ?? null }));
  }

  /** Keys and admins, which are few, before the first page of revocations. */
  async function page(after: string | null): Promise<RightsPage> {
    const entries: RightsEntry[] = [];
    if (after === null) {
      entries.push(...keyEntries(await keys.refresh()));
      for (const admin of await users.admins()) entries.push({ key: roleKey(admin._id), value: roleOf(admin) });
    }
    const sessions = await endedSessions(after ?? '');
    if (sessions?.next) return { ...sessions, entries: [...entries, ...sessions.entries] };
    const found = await revocations.page(sessions ? SESSIONS_END : (after ?? ''), RIGHTS_PAGE_ENTRIES, now());
    entries.push(...(sessions?.entries ?? []), ...found.map(revocationEntry));
    const next = found.length < RIGHTS_PAGE_ENTRIES ? null : (found.at(-1)?.key ?? null);
    return { entries, ...(sessions ? { ended: sessions.ended } : {}), next };
  }

  /** A page of ended sessions, which come before revocations of users; `next` is null after the last one. Null beyond them. */
  async function endedSessions(after: string): Promise<RightsPage | null> {
    if (after >= SESSIONS_END) return null;
    const found = await revocations.keys(after, SESSIONS_END, RIGHTS_PAGE_ENDED, now());
    const odd = found.filter((key) => !isPackable(revokedSessionOf(key) ?? ''));
    const ended = odd.length === 0 ? found : found.filter((key) => !odd.includes(key));
    return {
      entries: odd.length === 0 ? [] : (await revocations.among(odd, now())).map(revocationEntry),
      ended: packSessions(ended.map((key) => revokedSessionOf(key) ?? '')),
      next: found.length < RIGHTS_PAGE_ENDED ? null : (found.at(-1) ?? null),
    };
  }

  /** A service that misses it reads the keys after the next heartbeat. @throws Problem 503 while it cannot be published */
  async function publish(...names: string[]): Promise<void> {
    try {
      await desk.publish(names);
    } catch (error) {
      throw unavailable(RIGHTS_NOT_ANNOUNCED, 'The change is saved and takes effect in a moment.', 1, error);
    }
  }

  return {
    // All of it is stored before any of it is published: what cannot be published now has happened all the same.
    async endSessions(jtis) {
      if (jtis.length === 0) return;
      const nowMs = now();
      const keys = jtis.map(sessionRevocationKey);
      await revocations.put(keys.map((key) => ({ key, notBeforeMs: nowMs, untilMs: nowMs + SESSION_MS })));
      await sessions.end(jtis, nowMs);
      await publish(...keys);
    },
    async revokeUser(userId) {
      const nowMs = now();
      const held = await sessions.ofUser(userId, nowMs);
      // One that began at a replica whose clock is ahead is of after the end by ours: it ends by its id.
      const ahead = held.filter(({ createdAtMs }) => createdAtMs > nowMs).map(({ _id }) => _id);
      const keys = [userRevocationKey(userId), ...ahead.map(sessionRevocationKey)];
      await revocations.put(keys.map((key) => ({ key, notBeforeMs: nowMs + 1, untilMs: nowMs + SESSION_MS })));
      await sessions.endAll(userId, nowMs);
      await sessions.end(ahead, nowMs);
      await publish(...keys);
    },
    publishRole: (userId) => publish(roleKey(userId)),
    publishSwitches: () => publish(SWITCHES_KEY),
    async sweep() {
      const kids = (await keys.refresh()).map(({ kid }) => kid);
      const changed = [
        ...kids.filter((kid) => !publishedKids.includes(kid)),
        ...publishedKids.filter((kid) => !kids.includes(kid)),
      ];
      if (changed.length > 0) await publish(...changed.map(signingKeyKey));
      // What could not be published is published again.
      publishedKids = kids;
    },
    stop: () => desk.stop(),
  };
}

/** Beyond the keys of all sessions, and before those of users. */
const SESSIONS_END = 'jti/';

const revocationEntry = ({ key, notBeforeMs }: Held): RightsEntry => ({ key, value: { notBeforeMs } });

function keyEntries(published: ReadonlyArray<{ kid: string; jwk: unknown }>): RightsEntry[] {
  return published.map(({ kid, jwk }) => ({ key: signingKeyKey(kid), value: jwk }));
}
