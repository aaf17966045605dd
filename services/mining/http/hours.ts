import type { ResponseOf } from '@cord/contracts/endpoint';
import { HOUR_SOURCES, type HourPart } from '@cord/contracts/http/hours';
import { miningEndpoints as endpoints } from '@cord/contracts/http/mining';
import { DAY_MS, dayKey, dayStartOf } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import { rateToNumber } from '@cord/contracts/rules/rate';
import { HOURS_DAYS } from '@cord/contracts/rules/timings';
import type { Http } from '@cord/kit/http';
import type { Nats } from '@cord/kit/nats';
import { badInput } from '@cord/kit/problem';
import { factsOf, type Peers, requestPeers } from '../hours/facts.js';
import { type Hour, hoursOf, type Part } from '../hours/hours.js';
import type { MiningNode } from '../node/node.js';
import { accountNotOpenYet } from '../problems.js';
import type { Reads } from '../store/reads.js';

type Answer = ResponseOf<typeof endpoints.hours>;

interface Parts {
  node: Pick<MiningNode, 'readSettled'>;
  reads: Pick<Reads, 'minedFrom' | 'sessionsTo'>;
  nats: Pick<Nats, 'request'>;
}

/** Mounts the explanation of each hour of a day. It writes nothing. */
export function mountHours(http: Http, { node, reads, nats }: Parts): void {
  http.route(endpoints.hours, async ({ user, query: { day } }) => {
    // Before the account: the peers may take up to a second, and the account would be stale by then.
    const peers = await requestPeers(nats, user.id);
    const seen = await node.readSettled(user.id);
    if (!seen) throw accountNotOpenYet();
    const { nowMs } = seen.moment;
    const firstDay = dayKey(nowMs - (HOURS_DAYS - 1) * DAY_MS);
    if (day < firstDay || day > dayKey(nowMs)) {
      throw badInput('day', `must be a UTC day from ${firstDay} to ${dayKey(nowMs)}`);
    }
    const hours = hoursOf(await factsOf(seen, dayStartOf(day), reads, peers));
    return { day, hours: hours.map(shownHour), unknown: unknownOf(peers), serverTime: iso(nowMs) };
  });
}

function unknownOf({ past, outages }: Peers): Answer['unknown'] {
  const missing = { network: past === null, 'sign-ins': past === null, outages: outages === null };
  return HOUR_SOURCES.filter((source) => missing[source]);
}

function shownHour({ fromMs, minedMicro, ranMs, parts }: Hour): Answer['hours'][number] {
  return { from: iso(fromMs), mined: microToNumber(minedMicro), ranMs, parts: parts.map(shownPart) };
}

function shownPart({ fromMs, toMs, state, sinceMs, untilMs, rateNano, cut }: Part): HourPart {
  return {
    from: iso(fromMs),
    to: iso(toMs),
    state,
    since: sinceMs === null ? null : iso(sinceMs),
    until: untilMs === null ? null : iso(untilMs),
    rate: rateNano === null ? null : rateToNumber(rateNano),
    network: cut && { percent: cut.factorHundredths, accounts: cut.accounts },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
