import { SWITCHED_OFF } from '@cord/contracts/addresses/switches';
import { rightsRpc } from '@cord/contracts/rpc/rights';
import {
  SWITCHED_OFF_TEXTS,
  SWITCHES_KEY,
  type SwitchesState,
  type SwitchName,
  type SwitchSpan,
  switchesState,
} from '@cord/contracts/switches';
import { RIGHTS_REQUEST_TIMEOUT_MS, RIGHTS_RETRY_MS } from './bounds.js';
import { subscribeToRights } from './edge/rights-changes.js';
import type { Metrics } from './metrics.js';
import type { Consuming } from './nats/consume.js';
import type { Nats } from './nats.js';
import { Problem } from './problem.js';
import type { SwitchesStore } from './switches-store.js';

/** The switches that operators have thrown, as this replica knows them. */
export interface Switches extends Consuming {
  isOn(name: SwitchName): Promise<boolean>;
  /** @throws Problem 503 `switched-off`, with a text for the user */
  requireOn(name: keyof typeof SWITCHED_OFF_TEXTS): Promise<void>;
  /** The latest times when switches were off, from auth, oldest first. */
  spans(): readonly SwitchSpan[];
  /** Requests the switches now; resolves after the response or its failure. */
  refresh(): Promise<void>;
  /** Runs whenever the set of switches that are off changes. */
  onChange(run: () => void): void;
}

const NONE_OFF: SwitchesState = { off: [], spans: [] };

/** Wait before a user may retry, s. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Follows the switches, which auth stores. A message only announces a change: the response to our own request counts (rights-copy.ts). A
 * gap in the messages of a replica of auth, a replica new here and a reconnection trigger a request too, so a change takes effect within a
 * heartbeat. Without a response the last one holds, even over a restart when `kept` is given. Before the very first response everything is
 * on.
 * @param options.kept stores the last response; without it a restart begins with everything on
 */
export async function followSwitches(
  nats: Pick<Nats, 'nc' | 'log' | 'request' | 'connected' | 'onReconnect'>,
  options: { metrics?: Metrics; kept?: SwitchesStore } = {},
): Promise<Switches> {
  const { metrics, kept } = options;
  let { off, spans } = parseState((await kept?.read()) ?? NONE_OFF);
  const changed: (() => void)[] = [];
  const copy = refreshOnChange(nats, async (next) => {
    const { size } = off;
    const same = next.off.length === size && next.off.every((name) => off.has(name));
    ({ off, spans } = parseState(next));
    if (!same) for (const run of changed) run();
    await kept?.write(next);
  });
  metrics?.measured('cord_switch_off', async () => [...off].map((name) => ({ labels: { switch: name }, value: 1 })));
  const isOn = async (name: SwitchName) => !off.has(name);
  return {
    isOn,
    async requireOn(name) {
      if (await isOn(name)) return;
      const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
      throw new Problem(503, SWITCHED_OFF, SWITCHED_OFF_TEXTS[name], { headers });
    },
    spans: () => spans,
    refresh: copy.refresh,
    onChange: (run) => void changed.push(run),
    stop: copy.stop,
  };
}

function parseState({ off, spans }: SwitchesState): { off: ReadonlySet<string>; spans: readonly SwitchSpan[] } {
  return { off: new Set(off), spans };
}

/** Requests the switches when auth announces a change, or may have. Requests run in sequence, so the last response is the newest. */
function refreshOnChange(
  nats: Parameters<typeof followSwitches>[0],
  take: (answer: SwitchesState) => Promise<void>,
): Pick<Switches, 'refresh' | 'stop'> {
  let reading: Promise<void> | undefined;
  let again = false;
  let failed = false;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  const readOnce = async (): Promise<void> => {
    try {
      const how = { timeoutMs: RIGHTS_REQUEST_TIMEOUT_MS };
      const { entries } = await nats.request(rightsRpc, { keys: [SWITCHES_KEY] }, how);
      const { value } = entries.find(({ key }) => key === SWITCHES_KEY) ?? { value: null };
      // Missing before the first switch was thrown, and in a release without switches.
      await take(value === null || value === undefined ? NONE_OFF : switchesState.parse(value));
      failed = false;
    } catch (err) {
      if (isStopped) return;
      if (!failed) nats.log.warn({ err }, 'the switches cannot be read or stored; keeping the last ones');
      failed = true;
      retry = setTimeout(() => void refresh(), RIGHTS_RETRY_MS);
      retry.unref();
    }
  };
  const refresh = (): Promise<void> => {
    if (isStopped) return Promise.resolve();
    again = true;
    reading ??= (async () => {
      while (again && !isStopped) {
        again = false;
        clearTimeout(retry);
        await readOnce();
      }
      reading = undefined;
    })();
    return reading;
  };

  const unsubscribe = subscribeToRights(nats, ({ keys, follows }) => {
    if (!follows || keys.includes(SWITCHES_KEY)) void refresh();
  });
  const offReconnect = nats.onReconnect(() => void refresh());
  void refresh();
  return {
    refresh,
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      offReconnect();
      unsubscribe();
      await reading;
    },
  };
}
