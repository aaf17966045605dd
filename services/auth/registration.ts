import { userRegistered } from '@cord/contracts/events/user';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import { userRegisteredItem } from './domain/user-events.js';
import type { UserStore } from './store/users.js';

/** Who a user is, for a service that the user calls before `user.registered` has arrived there; null of whom auth does not know. */
export function serveRegistration(nats: Pick<Nats, 'serve'>, users: Pick<UserStore, 'byId'>): Consuming {
  return nats.serve(registrationRpc, async ({ userId }) => {
    const user = await users.byId(userId);
    return { registered: user && userRegistered.schema.parse(userRegisteredItem(user).payload) };
  });
}
