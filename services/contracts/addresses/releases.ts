/* Addresses of what is published: what a caller needs. The schemas stand in http/releases.ts. */

export const releases = { id: 'admin.releases', method: 'GET', path: '/admin/releases', access: 'admin' } as const;
export const actOnRelease = {
  id: 'admin.actOnRelease',
  method: 'POST',
  path: '/admin/releases/:name',
  access: 'admin',
} as const;

/** The line of the shell; all others are modules'. */
export const SHELL_LINE = 'shell';

/** What an operator may do about a module or the shell without a build; of the shell no canaries. */
export const RELEASE_ACTS = ['rollback', 'canary', 'end-canary', 'promote', 'freeze', 'unfreeze'] as const;
export type ReleaseAct = (typeof RELEASE_ACTS)[number];
