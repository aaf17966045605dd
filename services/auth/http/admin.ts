import { ADDRESS_ACCOUNTS_MAX, supportEndpoints } from '@cord/contracts/http/support';
import { displayedAge } from '@cord/contracts/rules/age';
import type { Http } from '@cord/kit/http';
import { cursor, pageOf } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { Admin } from '../admin.js';
import { levelOf } from '../anticheat/levels.js';
import type { AddressPlace, AntiCheat, CountedAddress } from '../anticheat/port.js';
import { anticheatStatusOf } from '../anticheat/view.js';
import { adminSupportView } from '../domain/support-view.js';
import type { SupportStore } from '../store/support.js';
import type { UserStore } from '../store/users.js';
import type { UserRecords } from '../user-records.js';
import { requireUser } from './require-user.js';

const ADDRESS_PLACE = cursor<AddressPlace>({ users: Number, _id: String });

/** Mounts the reads and actions of admins. Every action is logged before it runs (services/README.md#sign-in-and-rights). */
export function serveAdmin(
  http: Http,
  deps: {
    admin: Admin;
    users: UserStore;
    records: UserRecords;
    support: SupportStore;
    antiCheat: AntiCheat;
  },
): void {
  const { admin, users, records, support, antiCheat } = deps;

  http.route(supportEndpoints.addresses, async ({ query: { cursor: after, limit } }) => {
    const found = await antiCheat.crowded({ after: ADDRESS_PLACE.read(after), limit: limit + 1 });
    const { shown, nextCursor } = pageOf(found, limit, ADDRESS_PLACE.of);
    return { addresses: shown.map(addressView), nextCursor };
  });

  http.route(supportEndpoints.address, async ({ user, params: { key }, now }) => {
    const found = await antiCheat.address(key);
    if (!found) throw notFound('no-such-address', 'Address not found');
    await admin.looked(user.id, key);
    const accounts = await antiCheat.accountsAt(key, ADDRESS_ACCOUNTS_MAX);
    const known = await Promise.all(accounts.map(({ userId }) => users.byId(userId)));
    return {
      ...addressView(found),
      accounts: accounts.flatMap((account, n) => {
        const person = known[n];
        const age = person && { username: person.username, account_age: displayedAge(person.discordCreatedAtMs, now) };
        return age ? [{ ...account, ...age }] : [];
      }),
    };
  });

  http.route(supportEndpoints.markAddress, async ({ user, params, body }) => {
    if (!(await admin.markAddress(user.id, params.key, body))) throw notFound('no-such-address', 'Address not found');
    return { key: params.key, shared: body.shared };
  });

  http.route(supportEndpoints.userDetail, async ({ user, params, now }) => {
    await requireUser(users, params.id);
    await admin.lookedUp(user.id, params.id, 'record');
    return detailOf(params.id, now);
  });

  http.route(supportEndpoints.changeUser, async ({ user, params, body, now }) => {
    await requireUser(users, params.id);
    await admin.changeUser(user.id, params.id, body);
    return detailOf(params.id, now);
  });

  async function detailOf(userId: string, now: number) {
    const found = await requireUser(users, userId);
    const [record, streak, assessment, requests] = await Promise.all([
      records.of(found),
      records.streakOf(userId),
      antiCheat.status(userId),
      support.ofUser(userId),
    ]);
    return {
      ...record,
      streak,
      anticheat: anticheatStatusOf(assessment),
      addressKey: assessment.addressHash,
      support: requests.map((request) => adminSupportView(request, () => found.username, now)),
    };
  }
}

export function addressView({ _id, users, shared, seenAtMs }: CountedAddress) {
  const level = shared ? 0 : levelOf(users).penaltyLevel;
  return { key: _id, users, level, shared, seenAt: new Date(seenAtMs).toISOString() };
}
