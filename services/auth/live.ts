import { anticheatAssessed, userUpdated } from '@cord/contracts/events/user';
import type { UpdatedUser } from '@cord/contracts/http/users';
import type { Live } from '@cord/kit/live';

/** Sends changed fields of the record, with their values, to a user's live streams. */
export type SendToUser = (userId: string, fields: Omit<UpdatedUser, 'id'>) => void;

/** Name, picture and the network check's factor are sent after their events, whatever the cause. */
export function createUserSender(live: Pick<Live, 'send' | 'after'>, now: () => number): SendToUser {
  const send: SendToUser = (userId, fields) =>
    live.send('user', userId, { seq: String(now()), updatedUser: { id: userId, ...fields } });
  live.after(userUpdated, ({ userId, username, avatar, lastLoginAt }) =>
    send(userId, { username, avatar, last_login_time: new Date(lastLoginAt).toISOString() }),
  );
  live.after(anticheatAssessed, ({ userId, factorHundredths }) =>
    send(userId, { efficiencyMultiplier: factorHundredths / 100 }),
  );
  return send;
}
