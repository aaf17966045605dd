import { overviewEndpoints as endpoints } from '@cord/contracts/http/overview';
import { outagesRpc } from '@cord/contracts/rpc/checkin';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import type { Nats } from '@cord/kit/nats';
import { pageByTime } from '@cord/kit/page';
import { badInput, unavailable } from '@cord/kit/problem';
import { createShared } from '@cord/kit/shared';
import type { PausedCount, PausedNode, PausedReads } from '../store/paused.js';

/** Maximum number of outages whose nodes are counted, latest first. */
const COUNTED = 16;
/** How long counts are cached, ms. */
const COUNTS_KEPT_MS = 20_000;
/** Timeout of the request for the outages to tasks, ms. */
const PEER_TIMEOUT_MS = 2_000;
const RETRY_SECONDS = 10;

interface Parts {
  paused: PausedReads;
  nats: Pick<Nats, 'request'>;
  now: () => number;
}

type Counted = PausedCount & { from: string };

/** Mounts the operators' view of nodes that paused in a check-in outage. It writes nothing. */
export function mountOutages(http: Http, { paused, nats, now }: Parts): void {
  const counts = createShared<Counted[]>(COUNTS_KEPT_MS);

  async function count(): Promise<Counted[]> {
    const { outages } = await nats.request(outagesRpc, {}, { timeoutMs: PEER_TIMEOUT_MS }).catch((cause) => {
      throw unavailable('outages-unknown', 'Outages could not be loaded', RETRY_SECONDS, cause);
    });
    const latest = outages.slice(-COUNTED).reverse();
    return Promise.all(
      latest.map(async ({ fromMs, toMs }) => ({
        from: new Date(fromMs).toISOString(),
        ...(await paused.count({ fromMs, belowMs: toMs ?? now() })),
      })),
    );
  }

  http.route(endpoints.outageNodes, async ({ now: nowMs }) => ({ outages: await counts.get(nowMs, count) }));

  http.route(endpoints.pausedNodes, async ({ query: { from, to, ...page } }) => {
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    if (toMs <= fromMs) throw badInput('to', 'must be after from', { de: 'muss nach from liegen' });
    const { shown, nextCursor } = await pageByTime<PausedNode>(
      page,
      ({ pausedAtMs }) => pausedAtMs,
      (span, most) =>
        paused.list({ fromMs: Math.max(fromMs, span.fromMs), belowMs: Math.min(toMs, span.belowMs) }, most, fromMs),
    );
    return { nodes: shown.map(present), nextCursor };
  });
}

function present({ userId, pausedAtMs, runs, correctedMicro }: PausedNode) {
  const corrected = correctedMicro === null ? null : microToNumber(correctedMicro);
  return { userId, pausedAt: new Date(pausedAtMs).toISOString(), runs, corrected };
}
