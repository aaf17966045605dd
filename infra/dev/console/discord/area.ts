import Router from '@koa/router';
import type Koa from 'koa';
import type { MakeArea } from '../area.js';
import { sendPage } from '../html.js';
import { type Account, Accounts, newAccount } from './accounts.js';
import {
  type AuthorizeRequest,
  approvedLocation,
  BadAuthorizeRequest,
  deniedLocation,
  readAuthorizeRequest,
} from './authorize.js';
import { Grants } from './grants.js';
import { authorizePage, refusedPage } from './page.js';
import { pictureOf } from './picture.js';
import { tokenRoutes } from './token.js';

/** Maximum number of accounts on the page; `&account=` accepts any account. */
const SHOWN_MAX = 60;

/** The Discord stand-in: Discord's API and errors over accounts of your own (infra/README.md#local-mode). */
export const discordArea: MakeArea = async ({ config, clock }) => {
  const accounts = await Accounts.open(config.CORD_DATA, clock.now());
  const grants = new Grants();
  const router = new Router();

  const approve = (ctx: Koa.Context, request: AuthorizeRequest, account: Account) => {
    const { redirectUri, scope, challenge } = request;
    const code = grants.approve({ accountId: account.id, redirectUri, scope, challenge }, clock.now());
    ctx.redirect(approvedLocation(request, code));
    ctx.status = 302;
  };

  router.get('/dev/discord/oauth2/authorize', (ctx) => {
    const request = readOrRefuse(ctx, ctx.query);
    if (!request) return;
    if (ctx.query.deny === '1') return ctx.redirect(deniedLocation(request));
    const chosen = ctx.query.account;
    const account = typeof chosen === 'string' ? accounts.find(chosen) : undefined;
    if (account) return approve(ctx, request, account);
    if (chosen !== undefined) return sendPage(ctx, 404, refusedPage(`There is no account ${String(chosen)} here.`));
    showChoice(ctx, request);
  });

  router.post('/dev/discord/oauth2/authorize', async (ctx) => {
    const request = readOrRefuse(ctx, ctx.query);
    if (!request) return;
    const { username, globalName, createdAt } = (ctx.request.body ?? {}) as Record<string, string>;
    const made = await create({ username, globalName: globalName || undefined, createdAt: createdAt || undefined });
    if (typeof made === 'string') return showChoice(ctx, request, made);
    approve(ctx, request, made);
  });

  router.get('/dev/discord/accounts', (ctx) => {
    ctx.body = accounts.list();
  });

  router.post('/dev/discord/accounts', async (ctx) => {
    const made = await create(ctx.request.body);
    ctx.status = typeof made === 'string' ? 400 : 201;
    ctx.body = typeof made === 'string' ? { success: false, error: made } : { id: made.id };
  });

  router.get('/dev/discord/cdn/avatars/:id/:file', (ctx) => {
    const avatar = accounts.find(ctx.params.id ?? '')?.avatar;
    if (!avatar || ctx.params.file !== `${avatar}.png`) return;
    ctx.set('cache-control', 'public, max-age=31536000');
    ctx.type = 'image/png';
    ctx.body = pictureOf(avatar);
  });

  const help = [
    'Sign-in shows a page with accounts of every age and a form for a new one.',
    'POST /dev/discord/accounts {username, globalName?, createdAt?, avatar?} makes one; &account=<id> approves at once, &deny=1 denies.',
  ];
  const tokens = tokenRoutes({ accounts, grants, clock, clientSecret: config.DISCORD_CLIENT_SECRET });
  router.use(tokens.routes());
  return { title: 'Discord stand-in', help, routes: router.routes() };

  /** @returns the account, or the reason of a refusal */
  async function create(body: unknown): Promise<Account | string> {
    const parsed = newAccount.safeParse(body ?? {});
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is invalid'}`;
    }
    try {
      return await accounts.create(parsed.data, clock.now());
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
  }

  function readOrRefuse(ctx: Koa.Context, query: unknown): AuthorizeRequest | undefined {
    try {
      return readAuthorizeRequest(query, config.PUBLIC_ORIGIN);
    } catch (error) {
      if (!(error instanceof BadAuthorizeRequest)) throw error;
      sendPage(ctx, 400, refusedPage(error.message));
      return undefined;
    }
  }

  function showChoice(ctx: Koa.Context, request: AuthorizeRequest, refusal?: string): void {
    const shown = accounts.list().slice(0, SHOWN_MAX);
    const page = authorizePage({ query: ctx.querystring, accounts: shown, nowMs: clock.now(), refusal });
    sendPage(ctx, refusal ? 400 : 200, page, [new URL(request.redirectUri).origin]);
  }
};
