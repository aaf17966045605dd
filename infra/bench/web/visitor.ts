import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { CHROMIUM_LAUNCH } from '../../test/chromium.ts';
import { call, inParallel, type Newcomer, type Person, signIn } from '../../test/kit/people.ts';

export const DESK = { width: 1440, height: 1000 };
export const PHONE = { width: 390, height: 844 };
const CROWD = 24;

/**
 * With DevTools attached, Chromium records the source position of each request, for which V8 parses whole files again:
 * 50 ms of a dashboard start that no user's browser spends. This flag keeps the positions at compile time.
 */
const KEEP_PLACES = '--js-flags=--no-enable-lazy-source-positions';

export function launch(): Promise<Browser> {
  return chromium.launch({ ...CHROMIUM_LAUNCH, args: [...CHROMIUM_LAUNCH.args, KEEP_PLACES] });
}

/** Creates some miners with running nodes, so that rankings and figures have content. */
export async function createCrowd(origin: string): Promise<void> {
  await inParallel([...Array(CROWD).keys()], 4, async (n) => {
    const person = await signIn(origin, { years: 0.5 + (n % 9), username: `crowd.${n}` });
    await call(person, 'POST', `/users/${person.id}/mining/start`);
  });
}

/** Signs in a miner of 5.4 years with a check-in, the welcome seen, and a running node. */
export async function signedInMiner(origin: string): Promise<Newcomer> {
  const person = await signIn(origin, { years: 5.4, username: `bench.${Math.random().toString(36).slice(2, 8)}` });
  await call(person, 'POST', '/auth/me/welcome');
  await call(person, 'POST', '/daily-checkin/perform', { userId: person.id });
  await call(person, 'POST', `/users/${person.id}/mining/start`);
  return person;
}

/** tsx wraps inner functions in this helper to keep their names; a page that gets such a function lacks it. */
const NAMES = 'globalThis.__name = (named) => named';

/** Opens a context with a signed-in user, or a guest; its pages accept functions. */
export async function openContext(
  browser: Browser,
  person: Pick<Person, 'origin' | 'token'> | null,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript(NAMES);
  if (person) await giveSession(context, person);
  return context;
}

/** Gives a browser context the session, and the cookie that marks it for the page. */
export async function giveSession(
  context: BrowserContext,
  { origin, token }: Pick<Person, 'origin' | 'token'>,
): Promise<void> {
  const { hostname } = new URL(origin);
  const place = { domain: hostname, path: '/', sameSite: 'Lax' } as const;
  await context.addCookies([
    { name: 'cord', value: token, httpOnly: true, ...place },
    { name: 'cord-signed-in', value: '1', ...place },
  ]);
}
