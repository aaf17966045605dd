import { z } from 'zod';
import { RELEASE_ACTS } from '../addresses/releases.js';
import { rpc } from './rpc.js';

const share = z.number().positive().max(1);

/** One line of a journal (infra/deploy): the state from then on, and who decided it. */
const line = z.object({
  seq: z.number().int().min(1),
  /** For example publish, rollback, canary, freeze. */
  action: z.string(),
  version: z.string(),
  from: z.string().nullable(),
  canary: z.object({ version: z.string(), share }).nullable(),
  frozen: z.boolean(),
  who: z.string(),
  /** `person` or `start`. */
  by: z.string(),
  /** ISO 8601. */
  when: z.string(),
  why: z.string(),
});

/** The published state of a module or the shell. */
const published = z.object({
  name: z.string(),
  /** Compatible range of the sdk for the newest line's version; for the shell the sdk version that it ships. `ui`: the design system. */
  sdk: z.string(),
  /** Null when the journal does not have it. */
  ui: z.string().nullable(),
  /** Its gzip size, bytes; null when the journal does not have it. */
  size: z.number().int().nullable(),
  /** Target of a rollback without a version; null when there is no previous one. */
  previous: z.string().nullable(),
  /** Newest first. The first line is in use. */
  journal: z.array(line).min(1),
  /** Whether there are older lines. */
  more: z.boolean(),
});

/** The published state in the module store, as the gateways read it. A module whose newest line cannot be read is listed in `unreadable`. */
export const releasesState = z.object({ published: z.array(published), unreadable: z.array(z.string()) });
export type ReleasesState = z.output<typeof releasesState>;

/** Sent to the gateways, the only processes with access to the store. */
export const releasesRpc = rpc(
  'releases.list',
  { from: ['auth'], by: 'gateway', toEach: true },
  z.object({}),
  releasesState,
);

/** Makes a gateway execute an operator's act. Auth has authenticated the operator and written the audit log. */
export const actOnReleaseRpc = rpc(
  'releases.act',
  { from: ['auth'], by: 'gateway' },
  z.object({
    name: z.string(),
    act: z.enum(RELEASE_ACTS),
    /** The newest line that the operator saw; nothing is done when a newer one exists. */
    seq: z.number().int().min(1),
    version: z.string().nullable(),
    share: share.nullable(),
    who: z.string(),
    why: z.string(),
  }),
  releasesState,
);
