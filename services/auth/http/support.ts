import { randomBytes } from 'node:crypto';
import { supportEndpoints } from '@cord/contracts/http/support';
import type { Http } from '@cord/kit/http';
import { conflict, refused } from '@cord/kit/problem';
import type { AntiCheat } from '../anticheat/port.js';
import { anticheatStatusOf } from '../anticheat/view.js';
import { supportView } from '../domain/support-view.js';
import type { FactStore } from '../store/facts.js';
import type { SupportStore } from '../store/support.js';

/** Requests that may wait for an answer at a time. */
const OPEN_MAX = 10;

/** The network check as its user sees it, and requests for support, appeals and refunds. */
export function serveSupport(
  http: Http,
  deps: { antiCheat: AntiCheat; support: SupportStore; facts: FactStore },
): void {
  const { antiCheat, support, facts } = deps;

  http.route(supportEndpoints.anticheat, async ({ user }) => anticheatStatusOf(await antiCheat.status(user.id)));

  http.route(supportEndpoints.file, async ({ user, body, now }) => {
    if (body.kind === 'appeal') await requireAppealable(user.id);
    if ((await support.countOpen(user.id)) >= OPEN_MAX) {
      throw refused('too-many-open', 'Please wait for an answer to your other requests first.');
    }
    const request = {
      _id: randomBytes(16).toString('hex'),
      userId: user.id,
      ...body,
      status: 'open' as const,
      answer: null,
      priority: (await facts.of(user.id)).badge !== null,
      createdAtMs: now,
      answeredAtMs: null,
    };
    await support.insert(request);
    return supportView(request);
  });

  http.route(supportEndpoints.mine, async ({ user }) => (await support.ofUser(user.id)).map(supportView));

  /** From level 1 on, one appeal at a time (services/contracts/rules/README.md#network-check). */
  async function requireAppealable(userId: string): Promise<void> {
    const status = anticheatStatusOf(await antiCheat.status(userId));
    if (!status.mayAppeal) throw refused('nothing-to-appeal', 'Your mining rate is not reduced.');
    if ((await support.countOpen(userId, 'appeal')) > 0) {
      throw conflict('appeal-open', 'Your appeal is already waiting for an answer.');
    }
  }
}
