import type { ReleaseAct } from '@cord/contracts/addresses/releases';
import { actOnReleaseRpc, type ReleasesState, releasesRpc } from '@cord/contracts/rpc/releases';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Nats } from '@cord/kit/nats';
import type { UserStore } from '../store/users.js';

interface ReleaseActRequest {
  name: string;
  act: ReleaseAct;
  /** The newest line of the journal that the operator saw. */
  seq: number;
  version?: string | undefined;
  share?: number | undefined;
  reason: string;
}

/** Modules and shell, as the gateways have them. */
export interface ReleaseDesk {
  /** @throws Problem 503 while no gateway answers */
  look(): Promise<ReleasesState>;
  /**
   * Has one act done; it stands in the audit log before it is, and in the module's journal under the operator's name.
   * @throws Problem 409 where the journal has gone on, 422 where the store refuses, 503 while no gateway answers
   */
  act(adminId: string, request: ReleaseActRequest): Promise<ReleasesState>;
}

export function createReleaseDesk(deps: {
  audit: Pick<AuditLog, 'write'>;
  users: Pick<UserStore, 'byId'>;
  nats: Pick<Nats, 'request'>;
}): ReleaseDesk {
  const { audit, users, nats } = deps;
  return {
    look: () => nats.request(releasesRpc, {}),
    async act(adminId, { name, act, seq, version = null, share = null, reason }) {
      const detail = { reason, seq, ...(version === null ? {} : { version }), ...(share === null ? {} : { share }) };
      await audit.write({ adminId, action: `module.${act}`, target: name, detail });
      const who = (await users.byId(adminId))?.username ?? adminId;
      return nats.request(actOnReleaseRpc, { name, act, seq, version, share, who, why: reason });
    },
  };
}
