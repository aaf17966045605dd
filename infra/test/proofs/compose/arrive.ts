import { type Newcomer, type signIn, signInAgain } from '../../kit/people.ts';
import { post } from '../../kit/post.ts';

const YEAR_MS = 31_557_600_000;

/** Signs someone in as `signIn` of the kit does, with an account that Discord's stand-in has under Discord's own name. */
export const arrive: typeof signIn = async (origin, { years, username, referralCode }): Promise<Newcomer> => {
  const createdAt = new Date(Date.now() - years * YEAR_MS).toISOString();
  const { id } = (await post('https://discord.com/accounts', { username, createdAt })) as { id: string };
  return { ...(await signInAgain(origin, id, referralCode)), accountId: id, username };
};
