import { allPages } from '../../../services/kit/testing/pages.ts';
import { systemNow } from './clock.ts';
import { post } from './post.ts';

const YEAR_MS = 31_557_600_000;
const CALL_MS_MAX = 15_000;

/** A user with a bearer token, as client B has it. */
export interface Person {
  origin: string;
  token: string;
  /** The user's id. */
  id: string;
  isNewUser: boolean;
}

/** A person who signed in with an account of the Discord stand-in. */
export interface Newcomer extends Person {
  accountId: string;
  username: string;
}

type Refused = Error & { status: number; type?: string };

/** Runs work over items with limited concurrency. @returns results in order */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

/**
 * Calls the API as client B does.
 * @returns the response's JSON
 * @throws {Error} with `status`, and `type` if the response has one, unless it succeeds
 */
export async function call(
  person: Pick<Person, 'origin' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: an answer is what the endpoint has
): Promise<any> {
  const response = await fetch(`${person.origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_MS_MAX),
  });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : null;
  if (response.ok) return answer;
  const refused = new Error(`${method} ${path}: ${response.status} ${answer?.error ?? text}`) as Refused;
  throw Object.assign(refused, { status: response.status, type: answer?.type });
}

/** A page of a user's ledger, reduced to what sums need. Amounts are CORD. */
export interface LedgerPage {
  entries: { amount: number; source: string }[];
  open: number;
  nextCursor: string | null;
}

/**
 * Returns a user's whole ledger in micro-CORD: each entry with its source, and the open amount.
 * @param get a call of the API
 */
export async function ledgerOf(
  userId: string,
  get: (path: string) => Promise<LedgerPage>,
): Promise<{ entries: { micro: bigint; source: string }[]; openMicro: bigint }> {
  const pages = await allPages((query) =>
    get(`/users/${userId}/ledger?${new URLSearchParams({ limit: '100', ...query })}`),
  );
  const micro = (amount: number) => BigInt(Math.round(amount * 1e6));
  const entries = pages.flatMap((page) => page.entries).map(({ amount, source }) => ({ micro: micro(amount), source }));
  return { entries, openMicro: micro(pages[0]?.open ?? 0) };
}

/** Signs a new user in through the Discord stand-in, as client B: an account of that age, a code, a token. */
export async function signIn(
  origin: string,
  { years, username, referralCode }: { years: number; username: string; referralCode?: string | undefined },
): Promise<Newcomer> {
  const accountId = await makeAccount(origin, { years, username });
  return { ...(await signInAgain(origin, accountId, referralCode)), accountId, username };
}

/** Creates a Discord account of that age in the stand-in. @returns its id */
export async function makeAccount(
  origin: string,
  { years, username }: { years: number; username: string },
): Promise<string> {
  const createdAt = new Date((await systemNow(origin)) - years * YEAR_MS).toISOString();
  return ((await post(`${origin}/dev/discord/accounts`, { username, createdAt })) as { id: string }).id;
}

/** State of a user returning from Discord. */
interface Approved {
  /** URL of the callback, with code and state. */
  back: URL;
  /** Cookies set so far. */
  cookies: string;
  redirectUri: string;
}

/** Runs the OAuth flow up to the authorization code. @param keepPkce false for client B, which has no verifier */
async function authorize(origin: string, accountId: string, keepPkce: boolean): Promise<Approved> {
  const began = await fetch(`${origin}/api/auth/discord`, { redirect: 'manual' });
  const address = new URL(began.headers.get('location') ?? '', origin);
  if (!keepPkce) for (const name of ['code_challenge', 'code_challenge_method']) address.searchParams.delete(name);
  address.searchParams.set('account', accountId);
  const approved = await fetch(address, { redirect: 'manual' });
  const back = new URL(approved.headers.get('location') ?? '', origin);
  return { back, cookies: cookiesOf(began), redirectUri: address.searchParams.get('redirect_uri') ?? '' };
}

/** Signs an existing account of the stand-in in, as client B. */
export async function signInAgain(origin: string, accountId: string, referralCode?: string): Promise<Person> {
  const { back, redirectUri } = await authorize(origin, accountId, false);
  const answer = (await post(`${origin}/api/auth/discord/callback`, {
    ...{ code: back.searchParams.get('code'), redirectUri },
    ...(referralCode ? { referralCode } : {}),
  })) as { token: string; user: { id: string }; isNewUser: boolean };
  return { origin, token: answer.token, id: answer.user.id, isNewUser: answer.isNewUser };
}

/** Signs an existing account of the stand-in in, as client A: the callback sets the session cookie. */
export async function signInByCookie(
  origin: string,
  accountId: string,
): Promise<{ origin: string; cookie: string; landing: string }> {
  const { back, cookies } = await authorize(origin, accountId, true);
  const landed = await fetch(back, { redirect: 'manual', headers: { cookie: cookies } });
  return { origin, cookie: cookiesOf(landed), landing: landed.headers.get('location') ?? '' };
}

/** Returns the cookies that a response sets, in the form of a Cookie header. */
function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}
