import grantModule, { type GrantConfig, type GrantResponse, type GrantSession, type KoaMiddleware } from 'grant';
import type { Context } from 'koa';
import { failureOfConnection } from '../domain/login-failure.js';
import { createAnswerStatus } from './answer-status.js';
import { accessTokenOf, DISCORD_TIMEOUT_MS, repeatedIfLimited } from './discord-client.js';

/** Discord as an OAuth provider. */
export interface GrantSettings {
  authorizeUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  pkce: boolean;
  /** Our callback, as registered at Discord. */
  redirectUri: string;
}

/** The values of a transaction that are kept between the two redirects. */
interface GrantTransaction {
  state: string;
  codeVerifier: string | null;
}

/** grant (koa) for the one provider; the guard in http/discord.ts decides when it runs. */
export type DiscordGrant = ReturnType<typeof createDiscordGrant>;

/** Grant's type declaration has no ESM form. */
const koaGrant = (grantModule as unknown as { koa: (options: unknown) => KoaMiddleware }).koa;

/** The part of a context that grant reads and writes. */
interface GrantContext {
  session: { grant?: GrantSession };
  state: { grant?: { dynamic?: { state: string }; response?: GrantResponse } };
}

export function createDiscordGrant(settings: GrantSettings, timeoutMs = DISCORD_TIMEOUT_MS) {
  const config: GrantConfig = {
    defaults: { prefix: '/api/auth', transport: 'state', response: ['tokens', 'raw'], state: true },
    discord: {
      oauth: 2,
      authorize_url: settings.authorizeUrl,
      access_url: settings.tokenUrl,
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      redirect_uri: settings.redirectUri,
      scope: ['identify'],
      scope_delimiter: ' ',
      custom_params: { prompt: 'consent' },
      pkce: settings.pkce,
    },
  };
  const statuses = createAnswerStatus(settings.tokenUrl);
  const middleware = koaGrant({ config, request: { timeout: timeoutMs, agent: statuses.agent } });
  const noNext = async () => undefined;

  return {
    /** Redirects the browser to Discord. */
    async begin(ctx: Context, state: string): Promise<GrantTransaction> {
      const grantCtx = asGrantContext(ctx);
      ctx.query = {}; // grant copies any query into the session
      grantCtx.session = {};
      grantCtx.state.grant = { dynamic: { state } };
      await middleware(ctx, noNext);
      return { state, codeVerifier: grantCtx.session.grant?.code_verifier ?? null };
    },

    /** Exchanges the code. @returns the access token @throws LoginFailure for a refusal by Discord, and without a response */
    async finish(ctx: Context, code: string, { state, codeVerifier }: GrantTransaction) {
      const grantCtx = asGrantContext(ctx);
      const exchange = () => {
        ctx.query = { code, state };
        grantCtx.session = {
          grant: { provider: 'discord', state, ...(codeVerifier === null ? {} : { code_verifier: codeVerifier }) },
        };
        grantCtx.state.grant = {};
        return statuses.of(() => within(timeoutMs, middleware(ctx, noNext)));
      };
      const { status } = await repeatedIfLimited(exchange);
      const response = grantCtx.state.grant?.response ?? {};
      const unanswered = status === null ? connectionError(response) : null;
      if (unanswered !== null) throw failureOfConnection(unanswered);
      return accessTokenOf(response, status);
    },
  };
}

function asGrantContext(ctx: Context): GrantContext {
  return ctx as unknown as GrantContext;
}

/** Returns grant's error message without a response. It is empty when several addresses were tried. */
function connectionError({ error, raw }: GrantResponse): string | null {
  if (raw?.error === '') return 'ECONNREFUSED at every address';
  return typeof error === 'string' ? error : null;
}

/** Grant's own timeout ends with the first byte of a response; this one covers the whole call. */
async function within(timeoutMs: number, call: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failureOfConnection('timeout')), timeoutMs);
  });
  try {
    await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
