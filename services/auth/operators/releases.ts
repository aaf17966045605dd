import type { ReleaseAct } from '@cord/contracts/addresses/releases';
import { actOnReleaseRpc, type ReleasesState, releasesRpc } from '@cord/contracts/rpc/releases';
import { DELETED_NAME } from '@cord/contracts/texts';
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

type JournalLine = ReleasesState['published'][number]['journal'][number];

/** The form of a user's id. */
const USER_ID = /^[0-9a-f]{32}$/;

/** Modules and shell, as the gateways have them. */
export type ReleaseDesk = ReturnType<typeof createReleaseDesk>;

export function createReleaseDesk(deps: {
  audit: Pick<AuditLog, 'write'>;
  users: Pick<UserStore, 'namesOf'>;
  nats: Pick<Nats, 'request'>;
}) {
  const { audit, users, nats } = deps;
  /** A journal outlives its operators: it has their ids, and what has another form is shown as it is. */
  async function named({ published, ...state }: ReleasesState): Promise<ReleasesState> {
    const isOperator = ({ who, by }: JournalLine) => by === 'person' && USER_ID.test(who);
    const lines = published.flatMap(({ journal }) => journal).filter(isOperator);
    const names = await users.namesOf(lines.map(({ who }) => who));
    const shown = (line: JournalLine) =>
      isOperator(line) ? { ...line, who: names.get(line.who) ?? DELETED_NAME } : line;
    return { ...state, published: published.map((one) => ({ ...one, journal: one.journal.map(shown) })) };
  }

  return {
    /** @throws Problem 503 while no gateway answers */
    look: async () => named(await nats.request(releasesRpc, {})),
    /**
     * Has one act done; it stands in the audit log before it is, and in the module's journal under the operator's id.
     * @throws Problem 409 where the journal has gone on, 422 where the store refuses, 503 while no gateway answers
     */
    async act(adminId: string, request: ReleaseActRequest) {
      const { name, act, seq, version = null, share = null, reason } = request;
      const detail = { reason, seq, ...(version === null ? {} : { version }), ...(share === null ? {} : { share }) };
      await audit.write({ adminId, action: `module.${act}`, target: name, detail });
      return named(await nats.request(actOnReleaseRpc, { name, act, seq, version, share, who: adminId, why: reason }));
    },
  };
}
