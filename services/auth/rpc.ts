import { userRegistered } from '@cord/contracts/events/user';
import { pastRpc } from '@cord/contracts/rpc/past';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { AntiCheat } from './anticheat/port.js';
import { userRegisteredItem } from './domain/user-events.js';
import type { SessionStore } from './store/sessions.js';
import type { UserStore } from './store/users.js';

/** Serves a user's registration to services that need it before `user.registered` arrives; null for an unknown user. */
export function serveRegistration(nats: Pick<Nats, 'serve'>, users: Pick<UserStore, 'byId'>): Consuming {
  return nats.serve(registrationRpc, async ({ userId }) => {
    const user = await users.byId(userId);
    return { registered: user && userRegistered.schema.parse(userRegisteredItem(user).payload) };
  });
}

/** Serves a user's sign-in spans and network check results, for the explanation of node hours. */
export function serveHistory(
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
