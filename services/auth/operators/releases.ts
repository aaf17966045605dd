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

/** The format of a user id. */
const USER_ID = /^[0-9a-f]{32}$/;

/** The releases of modules and shell, from the gateways. */
export type ReleaseDesk = ReturnType<typeof createReleaseDesk>;

export function createReleaseDesk(deps: {
  audit: Pick<AuditLog, 'write'>;
  users: Pick<UserStore, 'namesOf'>;
  nats: Pick<Nats, 'request'>;
}) {
  const { audit, users, nats } = deps;
  /** Adds operators' names. A journal outlives its operators and stores ids; any other value is shown unchanged. */
  async function named({ published, ...state }: ReleasesState): Promise<ReleasesState> {
    const isOperator = ({ who, by }: JournalLine) => by === 'person' && USER_ID.test(who);
    const lines = published.flatMap(({ journal }) => journal).filter(isOperator);
    const names = await users.namesOf(lines.map(({ who }) => who));
    const shown = (line: JournalLine) =>
      isOperator(line) ? { ...line, who: names.get(line.who) ?? DELETED_NAME } : line;
    return { ...state, published: published.map((one) => ({ ...one, journal: one.journal.map(shown) })) };
  }

  return {
    /** @throws Problem 503 when no gateway responds */
    look: async () => named(await nats.request(releasesRpc, {})),
    /**
     * Requests one action, logged before it runs, with the operator's id in the module's journal.
     * @throws Problem 409 when the journal has newer lines, 422 when the store refuses, 503 when no gateway responds
     */
    async act(adminId: string, request: ReleaseActRequest) {
      const { name, act, seq, version = null, share = null, reason } = request;
      const detail = { reason, seq, ...(version === null ? {} : { version }), ...(share === null ? {} : { share }) };
      await audit.write({ adminId, action: `module.${act}`, target: name, detail });
      return named(await nats.request(actOnReleaseRpc, { name, act, seq, version, share, who: adminId, why: reason }));
    },
  };
}
