import { userRegistered } from '@cord/contracts/events/user';
import { pastRpc } from '@cord/contracts/rpc/past';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { AntiCheat } from './anticheat/port.js';
import { userRegisteredItem } from './domain/user-events.js';
import type { SessionStore } from './store/sessions.js';
import type { UserStore } from './store/users.js';

/** Who a user is, for a service that the user calls before `user.registered` has arrived there; null of whom auth does not know. */
export function serveRegistration(nats: Pick<Nats, 'serve'>, users: Pick<UserStore, 'byId'>): Consuming {
  return nats.serve(registrationRpc, async ({ userId }) => {
    const user = await users.byId(userId);
    return { registered: user && userRegistered.schema.parse(userRegisteredItem(user).payload) };
  });
}

/** When a user was signed in and what the network check found, for the service that explains the hours of the node. */
export function servePast(
  nats: Pick<Nats, 'serve'>,
  { sessions, antiCheat, now }: { sessions: SessionStore; antiCheat: Pick<AntiCheat, 'historyOf'>; now: () => number },
): Consuming {
  return nats.serve(pastRpc, async ({ userId }) => {
    const [signIns, network] = await Promise.all([sessions.signedIn(userId, now()), antiCheat.historyOf(userId)]);
    return {
      signIns: signIns.map(({ fromMs, toMs }) => ({ fromMs, toMs })),
      network: network.map(({ atMs, factorHundredths, accounts }) => ({ atMs, factorHundredths, accounts })),
    };
  });
}
