import { setTimeout as after } from 'node:timers/promises';
import { boundedText } from '@cord/kit/http/bounded-body';
import { failureOfAnswer, failureOfConnection } from '../domain/login-failure.js';
import type { AnswerHead } from './answer-status.js';

/** Discord's address and our credentials there. */
interface DiscordAccess {
  /** `https://discord.com/api`, or the stand-in's. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
}

/** Our own three calls to Discord; grant does the browser's code exchange. */
export type DiscordClient = ReturnType<typeof createDiscordClient>;

/** Timeout of a call to Discord, ms. Discord responds in well under a second. */
export const DISCORD_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 256 * 1024;
/** Maximum Retry-After for which a rate-limited call to Discord is repeated, once, ms. */
const RETRY_AFTER_MS_MAX = 2_000;

export function createDiscordClient(access: DiscordAccess, timeoutMs = DISCORD_TIMEOUT_MS) {
  const call = (path: string, init: RequestInit) => callDiscord(`${access.apiUrl}${path}`, init, timeoutMs);
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: access.clientId, client_secret: access.clientSecret, ...fields }),
  });
  return {
    /** Returns the account of a token. @throws LoginFailure */
    me: (accessToken: string) => call('/users/@me', { headers: { authorization: `Bearer ${accessToken}` } }),

    /** Client B: exchanges a code for a token. @throws LoginFailure */
    async exchange(grant: { code: string; redirectUri: string; codeVerifier: string | null }) {
      const { code, redirectUri, codeVerifier } = grant;
      const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const answer = await call(
        '/oauth2/token',
        form(codeVerifier ? { ...fields, code_verifier: codeVerifier } : fields),
      );
      return accessTokenOf(answer);
    },

    /** Revokes a token at Discord. @throws LoginFailure */
    async revoke(accessToken: string) {
      await call('/oauth2/token/revoke', form({ token: accessToken, token_type_hint: 'access_token' }));
    },
  };
}

/**
 * Returns the access token of a token response.
 * @param status of the response; null when unknown
 * @throws LoginFailure without a token
 */
export function accessTokenOf(answer: unknown, status: number | null = null): string {
  const token = (answer as { access_token?: unknown } | null)?.access_token;
  if (typeof token === 'string' && token !== '') return token;
  throw failureOfAnswer(status, (answer as { error?: unknown } | null)?.error ?? answer);
}

/**
 * Sends a call to Discord, and once more if Discord limits its rate for at most RETRY_AFTER_MS_MAX.
 * @param signal ends the wait between the two
 * @returns the last answer
 */
export async function repeatedIfLimited<A extends AnswerHead>(
  send: () => Promise<A>,
  signal?: AbortSignal,
): Promise<A> {
  const answer = await send();
  const waitMs = retryAfterMs(answer);
  if (waitMs === null) return answer;
  await after(waitMs, undefined, { signal });
  return send();
}

/** Returns the wait before a rate-limited call is repeated, ms; null if it is not repeated. */
function retryAfterMs({ status, retryAfter }: AnswerHead): number | null {
  if (status !== 429 || !retryAfter) return null;
  const ms = Number(retryAfter) * 1_000;
  return ms >= 0 && ms <= RETRY_AFTER_MS_MAX ? ms : null;
}

async function callDiscord(url: string, init: RequestInit, timeoutMs: number): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const send = async () => {
    const response = await fetch(url, { ...init, signal, redirect: 'error' });
    const { ok, status, headers } = response;
    const body = parse(await boundedText(response, ANSWER_BYTES_MAX));
    return { ok, status, retryAfter: headers.get('retry-after'), body };
  };
  const { ok, status, body } = await repeatedIfLimited(send, signal).catch((error: unknown) => {
    throw failureOfConnection(error);
  });
  if (!ok) throw failureOfAnswer(status, body);
  return body;
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return text.slice(0, 200);
  }
}
