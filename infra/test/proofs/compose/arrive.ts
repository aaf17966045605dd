import { type Newcomer, type signIn, signInAgain } from '../../kit/people.ts';
import { post } from '../../kit/post.ts';

const YEAR_MS = 31_557_600_000;

/** Like `signIn` of the kit, with an account of the Discord stand-in under Discord's own host name. */
export const arrive: typeof signIn = async (origin, { years, username, referralCode }): Promise<Newcomer> => {
  const createdAt = new Date(Date.now() - years * YEAR_MS).toISOString();
  const { id } = (await post('https://discord.com/accounts', { username, createdAt })) as { id: string };
  return { ...(await signInAgain(origin, id, referralCode)), accountId: id, username };
};
