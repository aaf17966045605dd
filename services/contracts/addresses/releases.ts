/* Addresses of what is published: what a caller needs. The schemas stand in http/releases.ts. */

import { addressOf } from '../address.js';

export const releases = addressOf('admin.releases', 'GET', '/admin/releases', 'admin');
export const actOnRelease = addressOf('admin.actOnRelease', 'POST', '/admin/releases/:name', 'admin');

/** The line of the shell; all others are modules'. */
export const SHELL_LINE = 'shell';

/** What an operator may do about a module or the shell without a build; of the shell no canaries. */
export const RELEASE_ACTS = ['rollback', 'canary', 'end-canary', 'promote', 'freeze', 'unfreeze'] as const;
export type ReleaseAct = (typeof RELEASE_ACTS)[number];
