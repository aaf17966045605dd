import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { excusedRpc, outagesRpc } from '@cord/contracts/rpc/checkin';
import { dayKey } from '@cord/contracts/rules/days';
import type { Http } from '@cord/kit/http';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { Excused } from '../excused.js';
import type { Outages } from '../outages.js';
import { presentExcused } from './checkin.js';

interface Parts {
  excused: Excused;
  outages: Pick<Outages, 'spans'>;
}

/** Registers the operators' route of outages of the check-in. */
export function outageRoutes(http: Http, { excused, outages }: Parts): void {
  http.route(checkinEndpoints.outages, async ({ now }) => {
    const [spans, days, kept] = await Promise.all([outages.spans(now), excused.days(now), excused.kept()]);
    return {
      outages: [...spans].reverse().map(({ fromMs, toMs }) => ({
        from: new Date(fromMs).toISOString(),
        to: toMs === null ? null : new Date(toMs).toISOString(),
        // An outage that ends at midnight does not affect the next day.
        days: [...days.keys()].filter((day) => dayKey(fromMs) <= day && day <= dayKey((toMs ?? now) - 1)).sort(),
      })),
      days: presentExcused(days, now)
        .reverse()
        .map((day) => ({ ...day, kept: kept.get(day.dayKey) ?? null })),
    };
  });
}

/** Serves the excused days to services that show streaks or send reminders of them. */
export function serveExcused(nats: Pick<Nats, 'serve'>, excused: Excused, clock: { now(): number }): Consuming {
  return nats.serve(excusedRpc, async () => {
    const nowMs = clock.now();
    const [days, today] = await Promise.all([excused.days(nowMs), excused.today(nowMs)]);
    return { days: presentExcused(days, nowMs), today };
  });
}

/** Serves the outages of the check-in to services that explain related outages. */
export function serveOutages(
  nats: Pick<Nats, 'serve'>,
  outages: Pick<Outages, 'spans'>,
  clock: { now(): number },
): Consuming {
  return nats.serve(outagesRpc, async () => {
    const spans = await outages.spans(clock.now());
    return { outages: spans.map(({ fromMs, toMs }) => ({ fromMs, toMs })) };
  });
}
