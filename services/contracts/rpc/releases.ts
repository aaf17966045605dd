import { z } from 'zod';
import { RELEASE_ACTS } from '../addresses/releases.js';
import { rpc } from './rpc.js';

const share = z.number().positive().max(1);

/** One line of a journal (infra/deploy): what was in use from then on, and who decided it. */
const line = z.object({
  seq: z.number().int().min(1),
  /** Such as publish, rollback, canary, freeze. */
  action: z.string(),
  version: z.string(),
  from: z.string().nullable(),
  canary: z.object({ version: z.string(), share }).nullable(),
  frozen: z.boolean(),
  who: z.string(),
  /** person or start. */
  by: z.string(),
  /** ISO 8601. */
  when: z.string(),
  why: z.string(),
});

/** What is published of a module or the shell. */
const published = z.object({
  name: z.string(),
  /** Ranges of the sdk and the design system that the newest line's version works with; of the shell the versions that it carries. */
  sdk: z.string(),
  /** Null where it is not in its journal. */
  ui: z.string().nullable(),
  /** Bytes of gzip that it brings along; null where it is not in its journal. */
  size: z.number().int().nullable(),
  /** To which a rollback without a version leads; null where there is nothing before. */
  previous: z.string().nullable(),
  /** The newest first. The first is in use. */
  journal: z.array(line).min(1),
  /** There are older lines. */
  more: z.boolean(),
});

/** What is published, as the gateways read it in the module store; a newest line that cannot be read leaves out its module. */
export const releasesState = z.object({ published: z.array(published), unreadable: z.array(z.string()) });
export type ReleasesState = z.output<typeof releasesState>;

/** Requested from the gateways, since no other process has the store. */
export const releasesRpc = rpc(
  'releases.list',
  { from: ['auth'], by: 'gateway', toEach: true },
  z.object({}),
  releasesState,
);

/** Has a gateway do an operator's act; auth has checked who it is, and noted it in the audit log. */
export const actOnReleaseRpc = rpc(
  'releases.act',
  { from: ['auth'], by: 'gateway' },
  z.object({
    name: z.string(),
    act: z.enum(RELEASE_ACTS),
    /** The newest line that the operator saw: where another came meanwhile nothing is done. */
    seq: z.number().int().min(1),
    version: z.string().nullable(),
    share: share.nullable(),
    who: z.string(),
    why: z.string(),
  }),
  releasesState,
);
