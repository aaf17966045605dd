import { randomBytes } from 'node:crypto';
import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';
import { OAUTH_STATE_MS } from '@cord/contracts/rules/timings';
import type { AuthErrorKey } from '@cord/contracts/texts';
import type { Caller } from '@cord/kit/caller';
import { Problem } from '@cord/kit/problem';
import type { Context, Middleware } from 'koa';
import { readDiscordProfile } from '../domain/discord-profile.js';
import { failureOfAuthorize, LoginFailure, type SignInOutcome } from '../domain/login-failure.js';
import { backOf } from '../domain/way-back.js';
import type { DiscordClient } from '../signin/discord-client.js';
import { failureOfSignIn } from '../signin/failure-of-error.js';
import type { DiscordGrant } from '../signin/grant.js';
import type { SignInCookies } from '../signin/oauth-cookie.js';
import type { SignIn } from '../signin/sign-in.js';
import { sameText } from '../signin/signed-value.js';
import type { TransactionDoc, TransactionStore } from '../store/transactions.js';

const STATE_BYTES = 32;

/**
 * The browser's sign-in: two redirects around Discord. Grant implements OAuth; this guard precedes it and accepts only
 * a transaction of the same browser.
 */
interface DiscordRoutes {
  /** GET /api/auth/discord[?ref=CODE][&back=QUERY] -> 302 to Discord. */
  start: Middleware;
  /** GET /api/auth/discord/callback -> 302 to the app, signed in or with /?auth_error=KEY. */
  callback: Middleware;
}

export function createDiscordRoutes(deps: {
  grant: DiscordGrant;
  discord: DiscordClient;
  transactions: TransactionStore;
  cookies: SignInCookies;
  signIn: SignIn;
  endSession: (sessionId: string) => Promise<void>;
  now: () => number;
  onSignIn: (signedIn: { userId: string; isNewUser: boolean; userAgent: string }) => void;
  onFailure: (key: AuthErrorKey, error: unknown) => void;
  /** Called with the outcome of each sign-in. */
  onOutcome: (outcome: SignInOutcome) => void;
}): DiscordRoutes {
  const { grant, discord, transactions, cookies, signIn, endSession, now, onSignIn, onFailure, onOutcome } = deps;

  const start: Middleware = async (ctx) => {
    const referralCode = referralCodeOf(ctx);
    const back = backOf(textOf(ctx.query.back) ?? '');
    try {
      const begun = await grant.begin(ctx, randomBytes(STATE_BYTES).toString('hex'));
      const id = randomBytes(16).toString('hex');
      await transactions.insert({ _id: id, ...begun, referralCode, back, expiresAtMs: now() + OAUTH_STATE_MS });
      cookies.setTransaction(ctx, id);
      ctx.set('Cache-Control', 'no-store');
    } catch (error) {
      fail(ctx, new LoginFailure('start_failed', null, { cause: error }));
    }
  };

  const callback: Middleware = async (ctx) => {
    let back: string | null = null;
    try {
      const transaction = await takeTransaction(ctx);
      back = transaction.back ?? null;
      const code = codeOf(ctx);
      const accessToken = await grant.finish(ctx, code, transaction);
      const profile = await profileOf(accessToken);
      const userAgent = ctx.get('user-agent');
      const { referralCode } = transaction;
      const { token, user, isNewUser } = await signIn({ profile, referralCode, userAgent });
      await endFormerSession(ctx);
      cookies.setSession(ctx, token);
      onSignIn({ userId: user._id, isNewUser, userAgent });
      onOutcome('ok');
      redirect(ctx, `/?welcome=${isNewUser ? 'new' : 'back'}${back ? `&${back}` : ''}`);
    } catch (error) {
      fail(ctx, failureOfSignIn(error), back);
    }
  };

  /** Takes the transaction of this browser and state, once. @throws LoginFailure `state` */
  async function takeTransaction(ctx: Context): Promise<TransactionDoc> {
    const id = cookies.takeTransaction(ctx);
    const transaction = id === null ? null : await transactions.take(id, now());
    const state = textOf(ctx.query.state);
    if (!transaction || state === null || !sameText(state, transaction.state)) throw new LoginFailure('state');
    return transaction;
  }

  /** A browser has one session: the former one, perhaps of another person, ends. A failure does not fail the sign-in. */
  async function endFormerSession(ctx: Context): Promise<void> {
    const { user }: Caller = ctx.state.caller;
    if (user === null) return;
    await endSession(user.sessionId).catch((error: unknown) => onFailure('database', error));
  }

  /** Returns the profile of the token's holder; the token is always revoked at Discord. */
  async function profileOf(accessToken: string) {
    try {
      return readDiscordProfile(await discord.me(accessToken));
    } finally {
      discord.revoke(accessToken).catch((error: unknown) => onFailure('network', error));
    }
  }

  /** @param back query to which the sign-in was to return, if known: the next try returns there */
  function fail(ctx: Context, failure: LoginFailure, back: string | null = null): void {
    onFailure(failure.key, failure);
    onOutcome(failure.key);
    if (failure.description !== null) cookies.setErrorText(ctx, failure.description);
    redirect(ctx, `/?auth_error=${failure.key}${back ? `&${back}` : ''}`);
  }

  return { start: getOnly(start), callback: getOnly(callback) };
}

/** A HEAD request also matches GET routes; a link checker must neither begin nor complete a sign-in. */
function getOnly(handle: Middleware): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET') {
      throw new Problem(405, 'method-not-allowed', 'This method is not allowed here', { headers: { Allow: 'GET' } });
    }
    await handle(ctx, next);
  };
}

/** Returns the code of `?ref=`, or null: an invalid code is not stored. */
function referralCodeOf(ctx: Context): string | null {
  const code = normaliseCode(textOf(ctx.query.ref) ?? '');
  return isReferralCode(code) ? code : null;
}

/** Returns Discord's code. @throws LoginFailure when there is none */
function codeOf(ctx: Context): string {
  const error = textOf(ctx.query.error);
  if (error !== null) throw failureOfAuthorize(error, textOf(ctx.query.error_description));
  const code = textOf(ctx.query.code);
  if (code === null || code === '' || code.length > 512) throw new LoginFailure('code_expired');
  return code;
}

function textOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function redirect(ctx: Context, location: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 302;
  ctx.set('Location', location);
  ctx.body = '';
}
