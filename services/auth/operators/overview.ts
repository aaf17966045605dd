import { DEAD_LETTERS, STREAMS } from '@cord/contracts/events/streams';
import type { OperatorsOverview } from '@cord/contracts/http/overview';
import type { Nats } from '@cord/kit/nats';
import { createShared } from '@cord/kit/shared';
import type { AntiCheat } from '../anticheat/port.js';
import type { ParkedCredits } from '../parked-credits.js';
import type { ClientErrorStore } from '../store/client-errors.js';
import type { SupportStore } from '../store/support.js';
import type { SwitchDesk } from '../switches/desk.js';

/** Maximum number of parked credits that are counted; the response flags more. */
const PARKED_COUNTED = 100;
/** The name under which the shell's own errors are counted. */
const SHELL = 'shell';
/** Maximum number of modules shown with errors, most errors first: any client may invent names. */
const MODULES_SHOWN = 20;
/** How long one overview is shared, ms: open operators' pages poll every few seconds. */
const SHARED_MS = 2_000;

/** Open work, switched-off parts and errors, for operators. */
export type Overview = ReturnType<typeof createOverview>;

/** @param nats connection for the state of the streams */
export function createOverview(deps: {
  support: Pick<SupportStore, 'waiting'>;
  antiCheat: Pick<AntiCheat, 'penalisedAddresses'>;
  parked: Pick<ParkedCredits, 'oldest'>;
  clientErrors: Pick<ClientErrorStore, 'ofDay'>;
  switches: Pick<SwitchDesk, 'off'>;
  nats: Pick<Nats, 'jsm'>;
  now: () => number;
}) {
  const { support, antiCheat, parked, clientErrors, switches, nats, now } = deps;
  const shared = createShared<OperatorsOverview>(SHARED_MS);

  async function put(): Promise<OperatorsOverview> {
    const nowMs = now();
    const [requests, crowdedAddresses, parkedCredits, streams, faults, off] = await Promise.all([
      support.waiting(),
      antiCheat.penalisedAddresses(),
      parkedNow(),
      streamsNow(),
      clientErrors.ofDay(nowMs),
      switches.off(),
    ]);
    return {
      at: new Date(nowMs).toISOString(),
      requests: requests.map(({ oldestMs, ...kind }) => ({ ...kind, oldestAt: timeOf(oldestMs) })),
      crowdedAddresses,
      parkedCredits,
      deadLetters: streams.find(({ name }) => name === DEAD_LETTERS)?.messages ?? null,
      streams,
      clientErrors: byModule(faults),
      switchesOff: off.map(({ name }) => name).sort(),
    };
  }

  async function parkedNow(): Promise<OperatorsOverview['parkedCredits']> {
    const { credits, missing } = await parked.oldest({ after: null, limit: PARKED_COUNTED + 1 });
    const more = credits.length > PARKED_COUNTED;
    return {
      count: more ? PARKED_COUNTED : credits.length,
      more,
      oldestAt: timeOf(credits[0]?.parkedAt ?? null),
      missing,
    };
  }

  /** Returns no streams while NATS does not respond: the rest is useful without them. */
  async function streamsNow(): Promise<OperatorsOverview['streams']> {
    const names = STREAMS.map(({ name }) => name).sort();
    const infos = await Promise.all(names.map((name) => nats.jsm.streams.info(name))).catch(() => []);
    return infos.map(({ config, state }) => ({
      name: config.name,
      messages: state.messages,
      bytes: state.bytes,
      limitBytes: config.max_bytes,
    }));
  }

  return {
    look: () => shared.get(performance.now(), () => put()),
    /** Invalidates the overview after an operator's change. Other replicas follow within `SHARED_MS`. */
    forget: shared.forget,
  };
}

function byModule(faults: readonly { module: string | null; count: number }[]): OperatorsOverview['clientErrors'] {
  const counts = new Map<string, number>();
  for (const { module, count } of faults) {
    const name = module ?? SHELL;
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts]
    .map(([module, count]) => ({ module, count }))
    .sort((a, b) => b.count - a.count || (a.module < b.module ? -1 : 1))
    .slice(0, MODULES_SHOWN);
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
