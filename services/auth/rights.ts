import { BUCKETS } from '@cord/contracts/events/streams';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import type { Nats } from '@cord/kit/nats';
import { unavailable } from '@cord/kit/problem';
import { sessionRevocationKey, sessionStateWriter, userRevocationKey } from '@cord/kit/session-state';
import type { KeyRing } from './keys/key-ring.js';
import type { RevocationStore } from './store/revocations.js';
import type { UserStore } from './store/users.js';

/**
 * What every service must know about sessions: keys, revocations, roles. The store is the truth; the watched buckets
 * are its copy, written at once and rebuilt at each start (design.md, Sign-in and rights).
 */
export interface Rights {
  /** One session no longer holds. @throws Problem 503 when the services cannot be told; the store has it, and it is told later */
  revokeToken(jti: string): Promise<void>;
  /** No session of the user that was issued up to now holds. @throws Problem 503 as above */
  revokeUser(userId: string): Promise<void>;
  /** @throws Problem 503 as above */
  publishRole(userId: string, isAdmin: boolean): Promise<void>;
  /** Makes and publishes keys that are due, and takes away those that are past. */
  refreshKeys(): Promise<void>;
  /** Writes everything into the buckets anew, and takes out what does not belong there. */
  rebuild(): Promise<void>;
  /** Forgets revocations of tokens that have expired, and tells what could not be told before. */
  sweep(): Promise<void>;
}

export function createRights(deps: {
  nats: Nats;
  keys: KeyRing;
  revocations: RevocationStore;
  users: UserStore;
  now: () => number;
}): Rights {
  const { nats, keys, revocations, users, now } = deps;
  let behind = false;
  let told: ReadonlySet<string> = new Set();

  /** Told now, or else by the sweep: what the store says and the buckets do not is never left so. */
  async function tell(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      behind = true;
      throw unavailable('rights-not-told', 'The change is stored and will hold in a moment.', 1, error);
    }
  }

  /** Writes only what the bucket does not have from us yet, so that a sweep without news writes nothing. */
  async function refreshKeys(): Promise<void> {
    const published = await keys.refresh();
    const kids = new Set(published.map((key) => key.kid));
    if (kids.size === told.size && [...kids].every((kid) => told.has(kid))) return;
    const writer = await sessionStateWriter(nats);
    for (const { jwk } of published) await writer.putKey(jwk);
    for (const kid of await keysOf(BUCKETS.jwks)) if (!kids.has(kid)) await writer.removeKey(kid);
    told = kids;
  }

  async function keysOf(bucket: string): Promise<string[]> {
    const names: string[] = [];
    for await (const key of await (await nats.kv(bucket)).keys()) names.push(key);
    return names;
  }

  async function forget(bucket: string, key: string): Promise<void> {
    await (await nats.kv(bucket)).purge(key);
  }

  /** What is taken out is looked up once more: another replica writes to the store first, then to the bucket. */
  async function rebuild(): Promise<void> {
    told = new Set();
    await refreshKeys();
    const nowMs = now();
    const writer = await sessionStateWriter(nats);
    const held = new Set<string>();
    for (const { key, notBeforeMs } of await revocations.all(nowMs)) {
      held.add(key);
      const [kind = '', id = ''] = key.split('.');
      if (kind === 'jti') await writer.revokeSession(id, notBeforeMs ?? nowMs);
      else await writer.revokeUser(id, notBeforeMs ?? nowMs);
    }
    for (const key of await keysOf(BUCKETS.revocations)) {
      if (!held.has(key) && !(await revocations.has(key, nowMs))) await forget(BUCKETS.revocations, key);
    }
    const admins = new Set((await users.admins()).map((admin) => admin._id));
    for (const userId of admins) await writer.setRoles(userId, ['admin']);
    for (const userId of await keysOf(BUCKETS.roles)) {
      if (!admins.has(userId) && !(await users.byId(userId))?.isAdmin) await forget(BUCKETS.roles, userId);
    }
    behind = false;
  }

  return {
    async revokeToken(jti) {
      const nowMs = now();
      await revocations.put({ key: sessionRevocationKey(jti), notBeforeMs: nowMs, untilMs: nowMs + SESSION_MS });
      await tell(async () => (await sessionStateWriter(nats)).revokeSession(jti, nowMs));
    },
    async revokeUser(userId) {
      const nowMs = now();
      const notBeforeMs = nowMs + 1;
      await revocations.put({ key: userRevocationKey(userId), notBeforeMs, untilMs: nowMs + SESSION_MS });
      await tell(async () => (await sessionStateWriter(nats)).revokeUser(userId, notBeforeMs));
    },
    async publishRole(userId, isAdmin) {
      await tell(async () => {
        if (isAdmin) await (await sessionStateWriter(nats)).setRoles(userId, ['admin']);
        else await forget(BUCKETS.roles, userId);
      });
    },
    refreshKeys,
    rebuild,
    async sweep() {
      if (behind) await rebuild();
      for (const key of await revocations.removeExpired(now())) {
        await forget(BUCKETS.revocations, key);
      }
      await refreshKeys();
    },
  };
}
