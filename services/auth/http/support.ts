import { createHash } from 'node:crypto';
import { supportEndpoints } from '@cord/contracts/http/support';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import type { Http } from '@cord/kit/http';
import { conflict, refused } from '@cord/kit/problem';
import type { AntiCheat } from '../anticheat/port.js';
import { anticheatStatusOf } from '../anticheat/view.js';
import type { SupportDoc } from '../domain/support-events.js';
import { supportView } from '../domain/support-view.js';
import type { FactStore } from '../store/facts.js';
import type { SupportStore } from '../store/support.js';
import type { UserStore } from '../store/users.js';
import { userNotFound } from './require-user.js';

/** Maximum number of open requests per user. */
const OPEN_MAX = 10;

/** Mounts a user's network check, and requests for support, appeals and refunds. */
export function serveSupport(
  http: Http,
  deps: { users: Pick<UserStore, 'byId'>; antiCheat: AntiCheat; support: SupportStore; facts: FactStore },
): void {
  const { users, antiCheat, support, facts } = deps;

  http.route(supportEndpoints.anticheat, async ({ user }) => anticheatStatusOf(await antiCheat.status(user.id)));

  const isHolder = async (userId: string) => (await facts.of(userId)).badge !== null;

  http.route(supportEndpoints.file, async ({ user, body, now }) => {
    const request = await compareAndSet(async () => {
      // Read before the checks: of two concurrent requests the second finds its id taken, and is checked again.
      const filed = await support.countAll(user.id);
      if (body.kind === 'appeal') await requireAppealable(user.id);
      if ((await support.countOpen(user.id)) >= OPEN_MAX) {
        throw refused('too-many-open', 'Please wait for an answer to your other requests first.');
      }
      const made: SupportDoc = {
        _id: idOf(user.id, filed),
        userId: user.id,
        ...body,
        status: 'open',
        answer: null,
        priority: await isHolder(user.id),
        createdAtMs: now,
        answeredAtMs: null,
      };
      return (await support.insert(made)) ? made : LOST;
    });
    // An erasure deletes the user first: a request inserted after its deletion of requests is removed here.
    if (!(await users.byId(user.id))) {
      await support.remove(request._id);
      throw userNotFound();
    }
    // A badge purchase prioritises open requests; one inserted meanwhile is prioritised here.
    if (!request.priority && (await isHolder(user.id))) await support.prioritise(user.id);
    return supportView(request);
  });

  http.route(supportEndpoints.mine, async ({ user }) => (await support.ofUser(user.id)).map(supportView));

  /** Allows one appeal at a time, from level 1 on (services/contracts/rules/README.md#network-check). */
  async function requireAppealable(userId: string): Promise<void> {
    const status = anticheatStatusOf(await antiCheat.status(userId));
    if (!status.mayAppeal) throw refused('nothing-to-appeal', 'Your mining rate is not reduced.');
    if ((await support.countOpen(userId, 'appeal')) > 0) {
      throw conflict('appeal-open', 'Your appeal is already waiting for an answer.');
    }
  }
}

/** Returns the id of a user's next request. */
function idOf(userId: string, filed: number): string {
  return createHash('sha256').update(`${userId}:${filed}`).digest('hex').slice(0, 32);
}
