import { z } from 'zod';
import * as at from '../addresses/releases.js';
import { endpoint } from '../endpoint.js';
import { releasesState } from '../rpc/releases.js';

/** The published releases of the shell and the modules, and operators' actions on them. */
export const releaseEndpoints = {
  releases: endpoint('auth', at.releases, {
    response: releasesState,
    summary: 'Admins: what is published of shell and modules, with their journals',
  }),
  actOnRelease: endpoint('auth', at.actOnRelease, {
    fresh: true,
    params: z.strictObject({ name: z.string().regex(/^(shell|mfe_[a-z0-9_]{1,40})$/, 'must be shell or mfe_<name>') }),
    body: z.strictObject({
      act: z.enum(at.RELEASE_ACTS),
      /** Sequence number of the newest journal line that the operator saw. */
      seq: z.number().int().min(1),
      /** Target of a rollback (default: the previous version), or version of a canary. */
      version: z
        .string()
        .regex(/^[\w.+-]{1,100}$/)
        .optional(),
      /** Share of browsers that get a canary: above 0, at most 1. */
      share: z.number().positive().max(1).optional(),
      reason: z.string().trim().min(3).max(500),
    }),
    response: releasesState,
    summary: 'Admins: roll back, start, end or promote a canary, freeze or unfreeze; 409 where the journal has gone on',
  }),
} as const;
