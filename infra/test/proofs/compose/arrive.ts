import { type Newcomer, type signIn, signInAgain } from '../../kit/people.ts';

const YEAR_MS = 31_557_600_000;

/** Signs someone in as `signIn` of the kit does, with an account that Discord's stand-in has under Discord's own name. */
export const arrive: typeof signIn = async (origin, { years, username, referralCode }): Promise<Newcomer> => {
  const createdAt = new Date(Date.now() - years * YEAR_MS).toISOString();
  const response = await fetch('https://discord.com/accounts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, createdAt }),
  });
  const { id } = (await response.json()) as { id: string };
  return { ...(await signInAgain(origin, id, referralCode)), accountId: id, username };
};
