import { TEXTS } from '@cord/contracts/texts';
import { notFound, type Problem } from '@cord/kit/problem';
import type { UserDoc } from '../domain/user-doc.js';
import type { UserStore } from '../store/users.js';

/** 404: no user of that id or name, or an erased one. */
export function userNotFound(): Problem {
  return notFound('no-such-user', TEXTS.userNotFound);
}

/** Returns an existing user. @throws Problem 404 */
export async function requireUser(users: Pick<UserStore, 'byId'>, userId: string): Promise<UserDoc> {
  const user = await users.byId(userId);
  if (!user) throw userNotFound();
  return user;
}
