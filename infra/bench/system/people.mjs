const YEAR_MS = 31_557_600_000;

/** Runs work over items, so many at a time. @returns results in order */
export async function inParallel(items, limit, work) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index], index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

/** A call of the API as client B makes it; the answer's JSON, or an error that says the status. */
export async function call(person, method, path, body) {
  const response = await fetch(`${person.origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : null;
  if (response.ok) return answer;
  throw Object.assign(new Error(`${method} ${path}: ${response.status} ${answer?.error ?? text}`), {
    status: response.status,
    type: answer?.type,
  });
}

/**
 * Signs someone in through the Discord stand-in as client B does: an account of that age, its code, the code for a token.
 *
 * @param {string} origin
 * @param {{years: number, username: string, referralCode?: string}} who
 */
export async function signIn(origin, { years, username, referralCode }) {
  const accountId = await makeAccount(origin, { years, username });
  return { ...(await signInAgain(origin, accountId, referralCode)), accountId, username };
}

/** Makes a Discord account of that age in the stand-in. @returns its id */
export async function makeAccount(origin, { years, username }) {
  const clock = await json(await fetch(`${origin}/dev/clock`));
  const createdAt = new Date(Date.parse(clock.now) - years * YEAR_MS).toISOString();
  const account = await json(
    await fetch(`${origin}/dev/discord/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, createdAt }),
    }),
  );
  return account.id;
}

/** Signs a known account of the stand-in in. */
export async function signInAgain(origin, accountId, referralCode) {
  const started = await fetch(`${origin}/api/auth/discord`, { redirect: 'manual' });
  const authorize = new URL(started.headers.get('location'), origin);
  for (const name of ['code_challenge', 'code_challenge_method']) authorize.searchParams.delete(name);
  authorize.searchParams.set('account', accountId);
  const approved = await fetch(authorize, { redirect: 'manual' });
  const back = new URL(approved.headers.get('location'), origin);
  const answer = await json(
    await fetch(`${origin}/api/auth/discord/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        code: back.searchParams.get('code'),
        redirectUri: authorize.searchParams.get('redirect_uri'),
        ...(referralCode ? { referralCode } : {}),
      }),
    }),
  );
  return { origin, token: answer.token, id: answer.user.id, isNewUser: answer.isNewUser };
}

async function json(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
