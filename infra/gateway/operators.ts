import { actOnReleaseRpc, type ReleasesState, releasesRpc } from '@cord/contracts/rpc/releases';
import { byOperator, type Journal, journals } from '@cord/deploy/store/by-operator';
import type { ModuleStore } from '@cord/deploy/store/folder-store';
import { Refused } from '@cord/deploy/store/refused';
import type { Nats } from '@cord/kit/nats';
import { conflict, refused } from '@cord/kit/problem';

/** Maximum number of lines of each journal shown to operators. */
const LINES_MAX = 20;

/**
 * Serves auth's requests: the published releases, and the operators' acts on them. Auth checks the rights, and NATS allows nobody else to call
 * (events/permissions.ts). With several gateways the first responds; an act is one conditional write to the journal, so only one gateway performs it.
 */
export function serveOperators(nats: Pick<Nats, 'serve'>, store: ModuleStore): { stop(): Promise<void> } {
  const serving = [
    nats.serve(releasesRpc, () => published(store)),
    nats.serve(actOnReleaseRpc, async ({ who, why, ...request }) => {
      const line = await byOperator(store, request, { who, why }).catch((error: unknown) => {
        throw error instanceof Refused ? refused('release-refused', `${error.message}.`) : error;
      });
      if (!line) throw conflict('release-changed', 'Someone else has changed this in the meantime. Nothing was done.');
      return published(store);
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(serving.map((one) => one.stop()));
    },
  };
}

async function published(store: ModuleStore): Promise<ReleasesState> {
  const all = await journals(store, LINES_MAX);
  return {
    published: all.flatMap((one) => (one.unreadable ? [] : lineOf(one))),
    unreadable: all.flatMap(({ name, unreadable }) => (unreadable ? [name] : [])),
  };
}

function lineOf({ name, previous, more, lines }: Journal): ReleasesState['published'] {
  const [newest] = lines;
  if (newest === undefined) return [];
  const { sdk, ui = null, size = null } = newest;
  return [{ name, sdk, ui, size, previous, more, journal: lines.map(shownLine) }];
}

function shownLine({ canary, ...line }: Journal['lines'][number]) {
  const { seq, action, version, from = null, frozen = false, who, by, when, why = '' } = line;
  const other = canary ? { version: canary.version, share: canary.share } : null;
  return { seq, action, version, from, canary: other, frozen, who, by, when, why };
}
