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
 * The rights data for every service: keys, revocations, roles. The store is the only copy here: services request it
 * when a message announces a change (services/README.md#sign-in-and-rights).
 */
export interface Rights extends Consuming {
  /** Ends sessions, here at once and everywhere within a second. @throws Problem 503 when it cannot be published; it is stored, and published later */
  endSessions(jtis: readonly string[]): Promise<void>;
  /** Ends every session of the user issued up to now. @throws Problem 503 as above */
  revokeUser(userId: string): Promise<void>;
  /** Announces a stored change of the switches. @throws Problem 503 as above */
  publishSwitches(): Promise<void>;
  /** Announces a stored change of the user's role. @throws Problem 503 as above */
  publishRole(userId: string): Promise<void>;
  /** Creates due keys, removes expired ones, and publishes the changes. */
  sweep(): Promise<void>;
}

/** Type of the 503 for a stored change that could not be announced. */
export const RIGHTS_NOT_ANNOUNCED = 'rights-not-announced';

/** @param nats the connection of auth's own account */
export function createRights(deps: {
  nats: Nats;
  keys: KeyRing;
  revocations: RevocationStore;
  sessions: Pick<SessionStore, 'end' | 'endAll' | 'ofUser'>;
  users: UserStore;
  /** Returns which switches are off, and the spans in which they were. */
  switches: () => Promise<SwitchesState>;
  /** How long a role granted by an admin must be held before it confirms proposals of others, ms. */
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
    // Reads again: another replica may have just made a key.
    if (idsOf('key').length > 0)
      for (const entry of keyEntries(await keys.refresh())) found.set(entry.key, entry.value);
    for (const admin of await users.adminsAmong(idsOf('role'))) found.set(roleKey(admin._id), roleOf(admin));
    for (const entry of await revocations.among(names, now())) found.set(entry.key, { notBeforeMs: entry.notBeforeMs });
    if (names.includes(SWITCHES_KEY)) found.set(SWITCHES_KEY, await switches());
    return names.map((key) => ({ key, value: found.get(key) ?? null }));
  }

  /** Keys and admins, which are few, come before the first page of revocations. */
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

  /** Returns a page of ended sessions, which come before revocations of users; `next` is null after the last one. Null beyond them. */
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

  /** A service that misses the message reads the keys after the next heartbeat. @throws Problem 503 when publishing fails */
  async function publish(...names: string[]): Promise<void> {
    try {
      await desk.publish(names);
    } catch (error) {
      throw unavailable(RIGHTS_NOT_ANNOUNCED, 'The change is saved and takes effect in a moment.', 1, error);
    }
  }

  return {
    // Everything is stored before anything is published: a failed publish does not undo the change.
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
      // A session from a replica with a fast clock begins after the revocation by our clock: it is ended by its id.
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
      // Set only after a successful publish, so a failed one is repeated.
      publishedKids = kids;
    },
    stop: () => desk.stop(),
  };
}

/** Upper bound of the keys of all sessions, below those of users. */
const SESSIONS_END = 'jti/';

const revocationEntry = ({ key, notBeforeMs }: Held): RightsEntry => ({ key, value: { notBeforeMs } });

function keyEntries(published: ReadonlyArray<{ kid: string; jwk: unknown }>): RightsEntry[] {
  return published.map(({ kid, jwk }) => ({ key: signingKeyKey(kid), value: jwk }));
}
