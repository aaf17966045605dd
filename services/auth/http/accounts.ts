import { adminEndpoints } from '@cord/contracts/http/admin';
import { displayedAge } from '@cord/contracts/rules/age';
import type { Http } from '@cord/kit/http';
import type { Admin } from '../admin.js';
import type { AntiCheat, NetworkStanding } from '../anticheat/port.js';
import type { UserDoc } from '../domain/user-doc.js';
import type { SessionStore } from '../store/sessions.js';
import type { NamePlace, UserStore } from '../store/users.js';
import { addressView } from './admin.js';
import { requireUser } from './require-user.js';

/** The beginning of an id. */
const ID_BEGIN = /^[0-9a-f]{1,32}$/;

/** Mounts the operators' search of accounts by name and id, with their addresses and sessions. Each read is a line of the audit log. */
export function serveAccounts(
  http: Http,
  deps: { admin: Admin; users: UserStore; sessions: SessionStore; antiCheat: AntiCheat },
): void {
  const { admin, users, sessions, antiCheat } = deps;

  http.route(adminEndpoints.users, async ({ query, now }) => {
    const { search = '', role, cursor, limit } = query;
    const begin = search.toLowerCase();
    const found = await find({ begin, admins: role === 'admin', after: placeOf(cursor), limit: limit + 1 });
    const shown = found.slice(0, limit);
    const standings = await antiCheat.standings(shown.map(({ _id }) => _id));
    const last = shown.at(-1);
    return {
      users: shown.map((user) => listedUser(user, standings.get(user._id), now)),
      nextCursor: found.length > limit && last ? cursorOf(last, begin) : null,
    };
  });

  http.route(adminEndpoints.network, async ({ user, params: { id } }) => {
    await requireUser(users, id);
    await admin.lookedUp(user.id, id, 'network');
    const [standing, at] = await Promise.all([antiCheat.status(id), antiCheat.addressesOf(id)]);
    return {
      addresses: at.map((address) => ({
        ...addressView(address),
        minedMs: address.minedMs,
        lastMinedAt: isoOf(address.lastAtMs),
        counts: address._id === standing.addressHash,
      })),
      cleared: standing.cleared,
      checkedAt: isoOf(standing.checkedAtMs),
    };
  });

  http.route(adminEndpoints.sessions, async ({ user, params: { id }, now }) => {
    await requireUser(users, id);
    await admin.lookedUp(user.id, id, 'sessions');
    const held = await sessions.ofUser(id, now);
    return {
      sessions: held.map(({ createdAtMs, expiresAtMs, lastSeenAtMs, device }) => ({
        createdAt: isoOf(createdAtMs),
        expiresAt: isoOf(expiresAtMs),
        lastSeenAt: isoOf(lastSeenAtMs),
        device,
      })),
    };
  });

  http.route(adminEndpoints.endSessions, async ({ user, params: { id }, body }) => {
    await requireUser(users, id);
    return { ended: await admin.endSessions(user.id, id, body) };
  });

  /** Finds users by name prefix first, then by id prefix without a name match; each along an index. */
  async function find(page: { begin: string; admins: boolean; after: Place; limit: number }): Promise<UserDoc[]> {
    const { begin, admins, after, limit } = page;
    const named = 'id' in after ? [] : await users.byName({ begin, admins, after: after.name, limit });
    if (named.length >= limit || !ID_BEGIN.test(begin)) return named;
    const behind = 'id' in after ? after.id : null;
    const byId = await users.byIdPrefix({ begin, admins, after: behind, limit: limit - named.length });
    return [...named, ...byId];
  }
}

/** Position among the users found by name, null at the start; or among those found by id. */
type Place = { name: NamePlace | null } | { id: string };

function placeOf(cursor: string | undefined): Place {
  const [by, first = '', id = ''] = cursor?.split('.') ?? [];
  if (by === undefined) return { name: null };
  if (by === 'i') return { id: first };
  return { name: { usernameLower: Buffer.from(first, 'base64url').toString(), _id: id } };
}

function cursorOf({ _id, usernameLower }: UserDoc, begin: string): string {
  if (!usernameLower.startsWith(begin)) return `i.${_id}`;
  return `n.${Buffer.from(usernameLower).toString('base64url')}.${_id}`;
}

function listedUser(user: UserDoc, standing: NetworkStanding | undefined, nowMs: number) {
  return {
    id: user._id,
    username: user.username,
    account_age: displayedAge(user.discordCreatedAtMs, nowMs),
    joinedAt: isoOf(user.joinedAtMs),
    lastSignInAt: isoOf(user.lastLoginAtMs),
    isAdmin: user.isAdmin,
    network: standing
      ? {
          penaltyLevel: standing.penaltyLevel,
          efficiencyMultiplier: standing.efficiencyHundredths / 100,
          cleared: standing.cleared,
        }
      : null,
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
