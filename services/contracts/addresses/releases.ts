/* Addresses of releases, for callers. The schemas are in http/releases.ts. */

import { addressOf } from '../address.js';

export const releases = addressOf('admin.releases', 'GET', '/admin/releases', 'admin');
export const actOnRelease = addressOf('admin.actOnRelease', 'POST', '/admin/releases/:name', 'admin');

/** Name of the shell's release line; every other line belongs to a module. */
export const SHELL_LINE = 'shell';

/** Actions an operator may take on a module or the shell without a build. The shell has no canaries. */
export const RELEASE_ACTS = ['rollback', 'canary', 'end-canary', 'promote', 'freeze', 'unfreeze'] as const;
export type ReleaseAct = (typeof RELEASE_ACTS)[number];
