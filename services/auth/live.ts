import { anticheatAssessed, userUpdated } from '@cord/contracts/events/user';
import type { UpdatedUser } from '@cord/contracts/http/users';
import type { Live } from '@cord/kit/live';

/** Tells a user's live streams which fields of the record have changed, and to what. */
export type TellUser = (userId: string, fields: Omit<UpdatedUser, 'id'>) => void;

/** Name, picture and the network check's factor are told after their events, whoever changed them. */
export function tellUsers(live: Pick<Live, 'tell' | 'after'>, now: () => number): TellUser {
  const tell: TellUser = (userId, fields) =>
    live.tell('user', userId, { seq: String(now()), updatedUser: { id: userId, ...fields } });
  live.after(userUpdated, ({ userId, username, avatar, lastLoginAt }) =>
    tell(userId, { username, avatar, last_login_time: new Date(lastLoginAt).toISOString() }),
  );
  live.after(anticheatAssessed, ({ userId, factorHundredths }) =>
    tell(userId, { efficiencyMultiplier: factorHundredths / 100 }),
  );
  return tell;
}
