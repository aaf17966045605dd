import type { ResponseOf, ServiceName } from '@cord/contracts/endpoint';
import type { userEndpoints } from '@cord/contracts/http/users';
import { exportRpc, HOLDING_SERVICES } from '@cord/contracts/rpc/export';
import type { Nats } from '@cord/kit/nats';
import type { AntiCheat } from './anticheat/port.js';
import type { UserDoc } from './domain/user-doc.js';
import { requestAll } from './request-all.js';
import type { SessionStore } from './store/sessions.js';
import type { SupportStore } from './store/support.js';
import type { UserRecords } from './user-records.js';

/** Returns everything stored about a user: first the fields of the user record, then the data of each service. */
export type UserExport = (user: UserDoc, nowMs: number) => Promise<ResponseOf<typeof userEndpoints.export>>;

/** Timeout of a peer, ms. A peer that does not respond is listed as missing. */
const PEER_TIMEOUT_MS = 2_000;
/** From this time, ms: includes all sessions. */
const EVER_MS = 0;

export function createUserExport(deps: {
  records: UserRecords;
  sessions: SessionStore;
  support: SupportStore;
  antiCheat: Pick<AntiCheat, 'heldOf'>;
  nats: Nats;
}): UserExport {
  const { records, sessions, support, antiCheat, nats } = deps;

  return async (user, nowMs) => {
    const [record, own, { answers, missing }] = await Promise.all([
      records.of(user),
      ownData(user),
      requestAll(HOLDING_SERVICES, (service) => requestPart(service, user._id)),
    ]);
    return {
      username: record.username,
      total_earned: record.total_earned,
      current_balance: record.current_balance,
      account_age: record.account_age,
      multiplier: record.multiplier,
      referralCode: record.referralCode,
      exportDate: new Date(nowMs).toISOString(),
      user: record,
      auth: own,
      ...Object.fromEntries(missing.map((service) => [service, null])),
      ...Object.fromEntries(answers.map(({ service, answer }) => [service, answer])),
      missing,
    };
  };

  async function ownData(user: UserDoc) {
    const [openSessions, requests, network] = await Promise.all([
      sessions.ofUser(user._id, EVER_MS),
      support.ofUser(user._id),
      antiCheat.heldOf(user._id),
    ]);
    const { outbox: _outbox, dirtyAt: _dirtyAt, onboarding, ...profile } = user;
    return {
      profile: {
        ...profile,
        onboarding: {
          ...onboarding,
          welcomeMicro: onboarding.welcomeMicro.toString(),
          referralBonusMicro: onboarding.referralBonusMicro?.toString() ?? null,
        },
      },
      sessions: openSessions,
      support: requests.map(
        ({ outbox: _events, dirtyAt: _since, takenBy: _admin, takenAtMs: _taken, ...request }) => request,
      ),
      ...network,
    };
  }

  async function requestPart(service: ServiceName, userId: string) {
    try {
      return await nats.request(exportRpc(service), { userId }, { timeoutMs: PEER_TIMEOUT_MS });
    } catch (err) {
      nats.log.warn({ err, peer: service }, 'a service did not return its part of an export');
      throw err;
    }
  }
}
