import { timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import type Koa from 'koa';
import type { DevClock } from '../clock/dev-clock.js';
import type { Account, Accounts } from './accounts.js';
import { LOCAL_CLIENT_ID } from './client.js';
import { GrantRefused, type Grants } from './grants.js';

interface Tokens {
  accounts: Accounts;
  grants: Grants;
  clock: Pick<DevClock, 'now'>;
  clientSecret: string;
}

/** Discord's API for a site's server, with Discord's responses and errors. */
export function tokenRoutes({ accounts, grants, clock, clientSecret }: Tokens): Router {
  const router = new Router();

  router.post('/dev/discord/api/oauth2/token', (ctx) =>
    answering(ctx, () => {
      const form = formOf(ctx);
      requireClient(ctx, form, clientSecret);
      const grantType = form.grant_type;
      if (grantType !== 'authorization_code') {
        const named = grantType ?? 'None';
        throw new GrantRefused(400, 'unsupported_grant_type', `Grant type ${named} is not supported`);
      }
      const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier } = form;
      if (code === '') throw new GrantRefused(400, 'invalid_request', 'Missing "code" in request.');
      return grants.exchange({ code, redirectUri, verifier }, clock.now());
    }),
  );

  router.post('/dev/discord/api/oauth2/token/revoke', (ctx) =>
    answering(ctx, () => {
      const form = formOf(ctx);
      requireClient(ctx, form, clientSecret);
      grants.revoke(form.token ?? '');
      return {};
    }),
  );

  router.get('/dev/discord/api/users/@me', (ctx) => {
    const [, token = ''] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
    const account = accounts.find(grants.accountOf(token, clock.now()) ?? '');
    ctx.set('cache-control', 'no-store');
    ctx.status = account ? 200 : 401;
    ctx.body = account ? asDiscordUser(account) : { message: '401: Unauthorized', code: 0 };
  });

  return router;
}

/** A user as Discord shows it to an application with the scope identify. */
function asDiscordUser({ id, username, globalName, avatar, secondFactor = true }: Account) {
  return {
    id,
    username,
    avatar,
    discriminator: '0',
    public_flags: 0,
    flags: 0,
    banner: null,
    accent_color: null,
    global_name: globalName,
    mfa_enabled: secondFactor,
    locale: 'en-US',
    premium_type: 0,
  };
}

function answering(ctx: Koa.Context, answer: () => object): void {
  ctx.set('cache-control', 'no-store');
  try {
    ctx.body = answer();
  } catch (error) {
    if (!(error instanceof GrantRefused)) throw error;
    const { status, error: code, description } = error;
    ctx.status = status;
    ctx.body = description === undefined ? { error: code } : { error: code, error_description: description };
  }
}

/** The form's fields. @throws GrantRefused for any other kind of body, as Discord does */
function formOf(ctx: Koa.Context): Record<string, string | undefined> {
  if (!ctx.is('application/x-www-form-urlencoded')) {
    throw new GrantRefused(400, 'invalid_request', 'The body must be form-encoded.');
  }
  const body = (ctx.request.body ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Client id and secret in the form or as HTTP Basic. @throws GrantRefused invalid_client */
function requireClient(ctx: Koa.Context, form: Record<string, string | undefined>, clientSecret: string): void {
  const [, basic] = /^Basic (\S+)$/.exec(ctx.get('authorization')) ?? [];
  const [basicId, ...basicSecret] = basic ? Buffer.from(basic, 'base64').toString('utf8').split(':') : [];
  const id = form.client_id ?? basicId ?? '';
  const secret = form.client_secret ?? basicSecret.join(':');
  if (id !== LOCAL_CLIENT_ID || !isSame(secret, clientSecret)) throw new GrantRefused(401, 'invalid_client');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
