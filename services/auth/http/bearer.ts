import { authEndpoints } from '@cord/contracts/http/auth';
import { AUTH_ERROR_TEXTS, authorizationFailed } from '@cord/contracts/texts';
import { deviceOf } from '@cord/kit/device';
import type { Http } from '@cord/kit/http';
import { badInput, Problem, unavailable } from '@cord/kit/problem';
import { isStoreUnavailable } from '@cord/kit/store-errors';
import { readDiscordProfile } from '../domain/discord-profile.js';
import type { LoginFailure, SignInOutcome } from '../domain/login-failure.js';
import type { DiscordClient } from '../signin/discord-client.js';
import { failureOfSignIn } from '../signin/failure-of-error.js';
import type { SignIn } from '../signin/sign-in.js';
import type { UserRecords } from '../user-records.js';

/** Client B: exchanges an authorization code for a bearer token; sets no cookie (services/auth/README.md#a-sign-in). */
export function serveBearer(
  http: Http,
  deps: {
    discord: DiscordClient;
    signIn: SignIn;
    records: UserRecords;
    /** The site's callback, which is the default, and others from config. */
    redirectUris: readonly [string, ...string[]];
    onOutcome: (outcome: SignInOutcome) => void;
  },
): void {
  const { discord, signIn, records, redirectUris, onOutcome } = deps;

  http.publicRoute(authEndpoints.exchange, async ({ body, headers, log }) => {
    const redirectUri = body.redirectUri ?? redirectUris[0];
    if (!redirectUris.includes(redirectUri)) throw badInput('redirectUri', 'must be a callback of this site');
    try {
      const accessToken = await discord.exchange({
        code: body.code,
        redirectUri,
        codeVerifier: body.codeVerifier ?? null,
      });
      const profile = await profileOf(accessToken);
      const userAgent = headers['user-agent'] ?? '';
      const { token, user, isNewUser } = await signIn({
        profile,
        referralCode: body.referralCode ?? null,
        userAgent,
      });
      log.info({ userId: user._id, isNewUser, device: deviceOf(userAgent) }, 'signed in');
      onOutcome('ok');
      return { token, user: await records.of(user), isNewUser };
    } catch (error) {
      const failure = failureOfSignIn(error);
      log.info({ err: error, key: failure.key }, 'a sign-in by code failed');
      onOutcome(failure.key);
      throw problemOf(failure);
    }

    async function profileOf(accessToken: string) {
      try {
        return readDiscordProfile(await discord.me(accessToken));
      } finally {
        discord
          .revoke(accessToken)
          .catch((error: unknown) => log.warn({ err: error }, 'a Discord token could not be revoked'));
      }
    }
  });
}

/** Converts a failure to the spec's text: temporary failures are 503, a wrong code or a refusal 400 to 403. */
function problemOf(failure: LoginFailure): Problem {
  if (isStoreUnavailable(failure.cause)) {
    return unavailable('sign-in-database', AUTH_ERROR_TEXTS.database, 2, failure);
  }
  const text =
    failure.key === 'denied' ? authorizationFailed(failure.description ?? '') : AUTH_ERROR_TEXTS[failure.key];
  const type = `sign-in-${failure.key.replaceAll('_', '-')}`;
  const status = STATUS[failure.key];
  return status === 503 ? unavailable(type, text, 2, failure) : new Problem(status, type, text, { cause: failure });
}

const STATUS: Readonly<Record<LoginFailure['key'], number>> = {
  code_expired: 400,
  unauthorized: 401,
  forbidden: 403,
  redirect_mismatch: 400,
  invalid_client: 503,
  grant_type: 400,
  network: 503,
  unreachable: 503,
  database: 503,
  denied: 403,
  state: 400,
  invalid_user: 400,
  start_failed: 503,
  signups_off: 503,
  returns_limited: 403,
  sign_ins_limited: 429,
  second_factor: 403,
};
