import { readFile } from 'node:fs/promises';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { adminArea } from './admin/area.js';
import type { MakeArea } from './area.js';
import { clockArea } from './clock/area.js';
import { DevClock } from './clock/dev-clock.js';
import type { ConsoleConfig } from './config.js';
import { discordArea } from './discord/area.js';
import { sendPage } from './html.js';
import { indexPage } from './index-page.js';
import { sameOrigin } from './same-origin.js';
import { solanaArea } from './solana/area.js';
import { walletArea } from './wallet/area.js';

/** The areas of /dev in local mode. To add one, add a folder here and a line below. */
const AREAS: readonly MakeArea[] = [discordArea, clockArea, adminArea, solanaArea, walletArea];

const CSS = new URL(
  import.meta.url.includes('/dist/') ? '../../console/assets/console.css' : './assets/console.css',
  import.meta.url,
);

/** Creates the console behind /dev. */
export async function createConsole(config: ConsoleConfig): Promise<Koa> {
  const clock = new DevClock(config.CORD_DATA);
  const areas = await Promise.all(AREAS.map((make) => make({ config, clock })));
  const css = await readFile(CSS, 'utf8');
  const router = new Router();
  router.get('/dev', (ctx) => sendPage(ctx, 200, indexPage(areas, clock.read())));
  router.get('/dev/assets/console.css', (ctx) => {
    ctx.set('cache-control', 'no-cache');
    ctx.type = 'text/css';
    ctx.body = css;
  });
  const app = new Koa();
  app.use(sameOrigin(config.PUBLIC_ORIGIN));
  app.use(bodyParser({ enableTypes: ['json', 'form'], jsonLimit: '64kb', formLimit: '64kb', onError: refuseBody }));
  app.use(router.routes());
  for (const { routes } of areas) app.use(routes);
  return app;
}

function refuseBody(_error: Error, ctx: Koa.Context): void {
  ctx.throw(400, 'The body cannot be read');
}
