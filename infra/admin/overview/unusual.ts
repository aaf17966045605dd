import type { IssuedOverTime, OperatorsOverview } from '@cord/contracts/http/overview';
import { formatDayKey, type TextsOf } from '@cord/sdk';
import { formatCord, formatPercent, percentOf } from '@cord/ui';
import type { TEXTS } from './texts';

/** From this part of what it may hold on, a stream is to be made larger: well before it is full. */
const FULL_FROM_PERCENT = 80;

/** What is known by now; null where it was not to be had, undefined where it is still to come. */
export interface Seen {
  overview: OperatorsOverview | undefined;
  services: Readonly<Record<string, string>> | null | undefined;
  issued: Pick<IssuedOverTime, 'audit' | 'root'> | undefined;
  /** The last read of `issued` has failed: what is known of it, if anything, is of an earlier one. */
  issuedFailed: boolean;
}

/** What is not as usual, a sentence each, the gravest first. */
export function unusual({ overview, services, issued, issuedFailed }: Seen, t: TextsOf<typeof TEXTS>): string[] {
  const down = Object.entries(services ?? {}).filter(([, state]) => state !== 'ok');
  const { audit, root } = issued ?? {};
  const { deadLetters, parkedCredits, streams, switchesOff } = overview ?? EMPTY;
  return [
    ...(services === null ? [t.gatewayAway] : []),
    ...down.map(([service]) => t.serviceDown({ service })),
    ...(issuedFailed ? [t.issuedAway] : []),
    ...(audit && audit.drift !== 0 ? [t.drift({ amount: formatCord(audit.drift, { decimals: 6 }) })] : []),
    ...(root?.late ? [t.rootLate({ day: formatDayKey(root.day) })] : []),
    ...(parkedCredits.count > 0 ? [t.parked({ count: parkedCredits.count })] : []),
    ...parkedCredits.missing.map((service) => t.missing({ service })),
    ...(deadLetters === null ? [t.natsAway] : deadLetters > 0 ? [t.deadLetters({ count: deadLetters })] : []),
    ...streams
      .map(({ name, bytes, limitBytes }) => ({ name, percent: percentOf(bytes, limitBytes) }))
      .filter(({ percent }) => percent >= FULL_FROM_PERCENT)
      .map(({ name, percent }) => t.streamFull({ name, percent: formatPercent(percent) })),
    ...switchesOff.map((name) => t.switchOff({ name: switchName(name, t) })),
  ];
}

/** A switch that has no text here, as that of a module, by its own name. */
function switchName(name: string, t: TextsOf<typeof TEXTS>): string {
  const text = (t as Readonly<Record<string, unknown>>)[`off.${name}`];
  return typeof text === 'string' ? text : name;
}

const EMPTY: Pick<OperatorsOverview, 'deadLetters' | 'parkedCredits' | 'streams' | 'switchesOff'> = {
  deadLetters: 0,
  parkedCredits: { count: 0, more: false, oldestAt: null, missing: [] },
  streams: [],
  switchesOff: [],
};
