import { boundedText } from '@cord/kit/http/bounded-body';
import { failureOfAnswer, failureOfConnection } from '../domain/login-failure.js';

/** Where Discord is and who we are there. */
interface DiscordAccess {
  /** `https://discord.com/api`, or the stand-in's. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
}

/** The three calls to Discord that are ours; the browser's code exchange is grant's. */
export type DiscordClient = ReturnType<typeof createDiscordClient>;

/** Discord answers in well under a second; a person waits no longer than this for a call. */
export const DISCORD_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 256 * 1024;

export function createDiscordClient(access: DiscordAccess, timeoutMs = DISCORD_TIMEOUT_MS) {
  const call = (path: string, init: RequestInit) => callDiscord(`${access.apiUrl}${path}`, init, timeoutMs);
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: access.clientId, client_secret: access.clientSecret, ...fields }),
  });
  return {
    /** The account behind a token. @throws LoginFailure */
    me: (accessToken: string) => call('/users/@me', { headers: { authorization: `Bearer ${accessToken}` } }),

    /** Client B: a code for a token. @throws LoginFailure */
    async exchange(grant: { code: string; redirectUri: string; codeVerifier: string | null }) {
      const { code, redirectUri, codeVerifier } = grant;
      const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const answer = await call(
        '/oauth2/token',
        form(codeVerifier ? { ...fields, code_verifier: codeVerifier } : fields),
      );
      return accessTokenOf(answer);
    },

    /** Makes Discord forget a token. @throws LoginFailure */
    async revoke(accessToken: string) {
      await call('/oauth2/token/revoke', form({ token: accessToken, token_type_hint: 'access_token' }));
    },
  };
}

/**
 * The access token of a token answer; without one it is an error.
 * @param status of the answer; null where it is not known
 * @throws LoginFailure
 */
export function accessTokenOf(answer: unknown, status: number | null = null): string {
  const token = (answer as { access_token?: unknown } | null)?.access_token;
  if (typeof token === 'string' && token !== '') return token;
  throw failureOfAnswer(status, (answer as { error?: unknown } | null)?.error ?? answer);
}

async function callDiscord(url: string, init: RequestInit, timeoutMs: number): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, { ...init, signal, redirect: 'error' });
    body = parse(await boundedText(response, ANSWER_BYTES_MAX));
  } catch (error) {
    throw failureOfConnection(error);
  }
  if (!response.ok) throw failureOfAnswer(response.status, body);
  return body;
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return text.slice(0, 200);
  }
}
