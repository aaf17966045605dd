import { OAUTH_STATE_MS } from '@cord/contracts/rules/timings';
import type { Caller } from '@cord/kit/caller';
import { sessionCookieName } from '@cord/kit/http/credentials';
import { createKeyedHash } from '@cord/kit/keyed-hash';
import type { Context } from 'koa';
import type { SecretValues } from '../keys/secret-values.js';
import { readSignedValue, signValue } from './signed-value.js';

/** The cookies of a sign-in, written and read directly: names and attributes are fixed (services/auth/README.md#a-sign-in). */
export type SignInCookies = ReturnType<typeof createSignInCookies>;

/** `<encoded text>.<signature>`; the page shows the text and deletes the cookie. On https no other host of the domain can set it. */
const ERROR_COOKIE = 'cord_auth_error';
const ERROR_SECONDS = 120;
/** Shows only that a session exists. Lives as long as the session cookie, and is readable by the page (shell/app/bundles.ts). */
const HINT_COOKIE = 'cord-signed-in';

const TRANSACTIONS = 'sign-in cookies';
/** A separate key from that of transactions, so that control over Discord's texts yields no other signature. */
const ERROR_TEXTS = 'error texts of sign-in';

export function createSignInCookies(given: {
  publicOrigin: string;
  /** Values of SESSION_SECRET: the first one signs, all of them verify. */
  secrets: SecretValues;
  sessionSeconds: number;
}) {
  const { publicOrigin, secrets, sessionSeconds } = given;
  const hashesFor = (purpose: string) => secrets().map((secret) => createKeyedHash(secret, purpose));
  const signed = (purpose: string, text: string): string => {
    const [first] = hashesFor(purpose);
    if (!first) throw new Error('no signing key is set');
    return signValue(first, text);
  };
  const secure = publicOrigin.startsWith('https:');
  const sessionName = sessionCookieName(publicOrigin);
  const transactionName = `${sessionName}-oauth`;
  const errorName = secure ? `__Host-${ERROR_COOKIE}` : ERROR_COOKIE;

  /** Lax instead of Strict: Strict cookies are not sent on the way back from Discord. */
  function set(ctx: Context, name: string, value: string, options: { seconds: number; readable?: boolean }) {
    const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${options.seconds}`, 'SameSite=Lax'];
    if (!options.readable) parts.push('HttpOnly');
    if (secure) parts.push('Secure');
    ctx.append('Set-Cookie', parts.join('; '));
  }

  return {
    /** Binds the transaction to this browser for ten minutes. */
    setTransaction: (ctx: Context, id: string) =>
      set(ctx, transactionName, signed(TRANSACTIONS, id), { seconds: OAUTH_STATE_MS / 1000 }),
    /** Returns the transaction of this browser, null without a valid cookie; clears the cookie. */
    takeTransaction(ctx: Context) {
      const id = readSignedValue(hashesFor(TRANSACTIONS), ctx.cookies.get(transactionName));
      set(ctx, transactionName, '', { seconds: 0 });
      return id;
    },
    setSession(ctx: Context, token: string) {
      set(ctx, sessionName, token, { seconds: sessionSeconds });
      set(ctx, HINT_COOKIE, '1', { seconds: sessionSeconds, readable: true });
    },
    /** Shows the page that a session exists, which its script cannot see. A browser without one then sends no request that would be refused. */
    hintSession(ctx: Context) {
      const { by }: Caller = ctx.state.caller;
      if (ctx.cookies.get(HINT_COOKIE) !== undefined || by !== 'cookie') return;
      set(ctx, HINT_COOKIE, '1', { seconds: sessionSeconds, readable: true });
    },
    clearSession(ctx: Context) {
      set(ctx, sessionName, '', { seconds: 0 });
      set(ctx, HINT_COOKIE, '', { seconds: 0, readable: true });
    },
    /** Passes Discord's own text to the page: plain, readable once by its script, signed so that the page shows no forged text. */
    setErrorText: (ctx: Context, text: string) =>
      set(ctx, errorName, signed(ERROR_TEXTS, encodeURIComponent(text)), {
        seconds: ERROR_SECONDS,
        readable: true,
      }),
  };
}
