import type { SwitchName } from '@cord/contracts/switches';
import type { Clock } from '@cord/kit/clock';
import type { Nats } from '@cord/kit/nats';
import type { EventHandler } from '@cord/kit/nats/consume';
import type { Switches } from '@cord/kit/switches';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import type { Connection } from 'mongoose';
import type { Modules } from './modules.js';
import type { ProcessId } from './process-id.js';
import type { World } from './world.js';

/** The interface of a service's process: event handlers, RPC handlers, periodic work. */
export interface Wired {
  readonly clock: Clock;
  /** Resolves when it serves; rejects when it could not start. */
  readonly ready: Promise<unknown>;
  /** Present in a service that follows the kill switches. */
  readonly switches?: { refresh(): Promise<void> };
  readonly handlers: readonly EventHandler[];
  readonly answers: ReadonlyMap<string, (payload: unknown, context: object) => Promise<unknown>>;
  readonly sweeps: readonly (() => Promise<unknown>)[];
}

export const QUIET = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as never;

/** Creates the NATS connection of one process. */
export function natsOf(world: World, process: ProcessId) {
  const handlers: EventHandler[] = [];
  const answers = new Map<string, (payload: unknown, context: object) => Promise<unknown>>();
  const { scheduler, bus } = world;
  const nats = {
    log: QUIET,
    connected: () => true,
    onReconnect: () => () => undefined,
    // The world delivers auth's messages to the processes itself.
    nc: { subscribe: () => ({ unsubscribe: () => undefined }), isClosed: () => false },
    consume(options: { handlers: readonly EventHandler[] }) {
      handlers.push(...options.handlers);
      return { stop: async () => undefined };
    },
    serve(rpc: { subject: string }, answer: (payload: unknown, context: object) => Promise<unknown>) {
      answers.set(rpc.subject, answer);
      return { stop: async () => undefined };
    },
    publish: (subject: string, payload: object) =>
      scheduler.operation(process, () => bus.publish(subject, payload), true),
    request: (rpc: Parameters<World['request']>[1], payload: unknown) => world.request(process, rpc, payload),
    jsm: {
      streams: {
        getMessage: (_stream: string, { last_by_subj: filter }: { last_by_subj: string }) =>
          scheduler.operation(process, () => bus.placeOf(filter)),
        deleteMessage: (_stream: string, place: number) => scheduler.operation(process, () => bus.remove(place), true),
        purge: (stream: string, { filter }: { filter: string }) =>
          scheduler.operation(process, () => bus.purge(stream, filter), true),
      },
    },
  };
  return { nats: nats as unknown as Nats, handlers, answers };
}

/**
 * Maximum effect of a clock set during a call on an account, ms; beyond it the clock is checked first. Calls take hours
 * here, so responses may be late by as much.
 */
export const SET_MS_MAX = 3_600_000;

/** Creates the clock of a process, compared with the store's as in the kit. */
function clockOf(world: World, process: ProcessId): Clock {
  const now = () => world.nowOf(process);
  const read = () => world.scheduler.operation(process, () => world.nowMs);
  const watch = world.modules.clockWatch.createClockWatch({
    sources: [{ name: 'store', read }],
    log: QUIET,
    now,
    steady: () => world.nowMs,
    answerMsMax: SET_MS_MAX,
  });
  return { now, onAdvance: () => () => undefined, wrong: watch.wrong, confirm: watch.confirm };
}

/** Creates the switches of a process, read at its start, after a message of auth, and periodically. */
export function switchesOf(world: World, process: ProcessId, nats: Nats, store: Connection) {
  const ready = world.modules.switches.followSwitches(nats, {
    kept: world.modules.switchesKept.createSwitchesStore(store),
  });
  let held: Switches | undefined;
  const following = ready.then((switches) => {
    held = switches;
  });
  return {
    ready: following,
    switches: {
      isOn: async (name: SwitchName) => (await ready).isOn(name),
      /** Whether it knows the switches already. */
      isHeld: () => held !== undefined,
      requireOn: async (name: 'claims' | 'orders') => (await ready).requireOn(name),
      spans: () => world.spansOf(process, held?.spans() ?? []),
      refresh: async () => (await ready).refresh(),
    },
  };
}

/** Creates the dependencies that every service's process shares. */
export function kitOf(world: World, modules: Modules, process: ProcessId) {
  const { nats, handlers, answers } = natsOf(world, process);
  const clock = clockOf(world, process);
  const store = world.store.connectionOf(process);
  const keeping = { store, clock, leases: singleReplicaLeases(), log: QUIET };
  const ledger = modules.ledgerClient.createLedgerClient(nats, process.service as never);
  return {
    ...{ nats, handlers, answers, clock, store, ledger },
    outboxOf: (collection: string, more = {}) =>
      modules.outbox.createOutbox({ ...keeping, collection, nats, ledger, ...more }),
  };
}
