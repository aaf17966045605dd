import { SERVICES, type ServiceName } from '../endpoint.js';
import { auth } from './auth.js';
import { leaderboard } from './leaderboard.js';
import type { Manifest } from './manifest.js';
import { mining } from './mining.js';
import { notices } from './notices.js';
import { referrals } from './referrals.js';
import { rewards } from './rewards.js';
import { tasks } from './tasks.js';

const ALL = { auth, mining, tasks, referrals, rewards, leaderboard, notices } as const;

/** What each service does with all that is outside it; the one place. */
export const MANIFESTS: Readonly<Record<ServiceName, Manifest>> = ALL;

/** The services that answer a request of a family, `export` or `parked`. */
export type Answering<Family extends string> = {
  [Name in ServiceName]: `${Family}.${Name}` extends (typeof ALL)[Name]['answers'][number] ? Name : never;
}[ServiceName];

/** @param family `export` of `export.tasks` @returns those services, in the order of SERVICES */
export function answering<const Family extends string>(family: Family): readonly Answering<Family>[] {
  const found = SERVICES.filter((name) => MANIFESTS[name].answers.includes(`${family}.${name}`));
  return found as readonly string[] as readonly Answering<Family>[];
}

/** The services that have a credit subject. */
export const CREDITING_SERVICES: readonly ServiceName[] = SERVICES.filter((name) => MANIFESTS[name].credits);
