import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { CHROMIUM_LAUNCH } from '../../test/chromium.ts';
import { call, inParallel, type Newcomer, type Person, signIn } from '../../test/kit/people.ts';

export const DESK = { width: 1440, height: 1000 };
export const PHONE = { width: 390, height: 844 };
const CROWD = 24;

/**
 * Driven by DevTools a browser notes where in the code each request comes from, and V8 reads a whole file anew to know: 50 ms of a start of
 * the dashboard, which no visitor's browser spends. With this flag it keeps the places as it compiles.
 */
const KEEP_PLACES = '--js-flags=--no-enable-lazy-source-positions';

export function launch(): Promise<Browser> {
  return chromium.launch({ ...CHROMIUM_LAUNCH, args: [...CHROMIUM_LAUNCH.args, KEEP_PLACES] });
}

/** Some miners with running nodes, so that rankings and figures have something to show. */
export async function peopleTheCrowd(origin: string): Promise<void> {
  await inParallel([...Array(CROWD).keys()], 4, async (n) => {
    const person = await signIn(origin, { years: 0.5 + (n % 9), username: `crowd.${n}` });
    await call(person, 'POST', `/users/${person.id}/mining/start`);
  });
}

/** A miner of 5.4 years who has checked in, seen the welcome, and whose node runs. */
export async function signedInMiner(origin: string): Promise<Newcomer> {
  const person = await signIn(origin, { years: 5.4, username: `bench.${Math.random().toString(36).slice(2, 8)}` });
  await call(person, 'POST', '/auth/me/welcome');
  await call(person, 'POST', '/daily-checkin/perform', { userId: person.id });
  await call(person, 'POST', `/users/${person.id}/mining/start`);
  return person;
}

/** tsx gives the functions within a function their names by this; a page that is handed such a function does not have it. */
const NAMES = 'globalThis.__name = (named) => named';

/** A context in which somebody is signed in, or nobody; functions can be handed to its pages. */
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

/** Gives a browser context the sign-in session, with the cookie that shows the page that there is one. */
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
