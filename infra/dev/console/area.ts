import type { RouterMiddleware } from '@koa/router';
import type Koa from 'koa';
import type { DevClock } from './clock/dev-clock.js';
import type { ConsoleConfig } from './config.js';

/** Dependencies of an area. */
export interface AreaDeps {
  config: ConsoleConfig;
  clock: DevClock;
}

/** One area of /dev: its routes, and a line for the index page. */
export interface Area {
  title: string;
  /** Description and usage, plain text. */
  help: readonly string[];
  routes: RouterMiddleware<Koa.DefaultState, Koa.DefaultContext>;
}

export type MakeArea = (surroundings: AreaDeps) => Area | Promise<Area>;
