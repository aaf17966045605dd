import { SWITCHED_OFF } from '@cord/contracts/addresses/switches';
import { rightsRpc } from '@cord/contracts/rpc/rights';
import {
  SWITCHED_OFF_TEXTS,
  SWITCHES_KEY,
  type SwitchesTold,
  type SwitchName,
  type SwitchSpan,
  switchesTold,
} from '@cord/contracts/switches';
import { RIGHTS_ASK_TIMEOUT_MS, RIGHTS_RETRY_MS } from './bounds.js';
import { hearRights } from './edge/rights-told.js';
import type { Metrics } from './metrics.js';
import type { Consuming } from './nats/consume.js';
import type { Nats } from './nats.js';
import { Problem } from './problem.js';
import type { KeptSwitches } from './switches-kept.js';

/** What operators have switched off, as this replica holds it. */
export interface Switches extends Consuming {
  isOn(name: SwitchName): Promise<boolean>;
  /** @throws Problem 503 `switched-off`, in words for the user */
  demand(name: keyof typeof SWITCHED_OFF_TEXTS): Promise<void>;
  /** When switches were off, as auth keeps it: oldest first, the latest of all. */
  spans(): readonly SwitchSpan[];
  /** Asks now; resolves when it was answered, or could not be. */
  refresh(): Promise<void>;
  /** Runs whenever something else is off than before. */
  onChange(run: () => void): void;
}

/** A user tries again no sooner than this, seconds. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Follows the switches, which auth keeps. A message only says that it is time to ask: what holds is the answer
 * to a question of our own (rights-copy.ts). A gap in what a replica of auth has told, one not heard of before and a reconnection make us ask as
 * well, so that a change holds within a heartbeat. While nobody answers, the last answer stands, also over a restart where it is kept; before
 * the very first answer, all is on.
 * @param options.kept where the last answer is kept; without it a restart begins with all on
 */
export async function followSwitches(
  nats: Pick<Nats, 'nc' | 'log' | 'request' | 'connected' | 'onReconnect'>,
  options: { metrics?: Metrics; kept?: KeptSwitches } = {},
): Promise<Switches> {
  const { metrics, kept } = options;
  let { off, spans } = heldOf((await kept?.read()) ?? { off: [] });
  const changed: (() => void)[] = [];
  const copy = askWhenTold(nats, async (told) => {
    const { size } = off;
    const same = told.off.length === size && told.off.every((name) => off.has(name));
    ({ off, spans } = heldOf(told));
    if (!same) for (const run of changed) run();
    await kept?.write(told);
  });
  metrics?.measured('cord_switch_off', async () => [...off].map((name) => ({ labels: { switch: name }, value: 1 })));
  const isOn = async (name: SwitchName) => !off.has(name);
  return {
    isOn,
    async demand(name) {
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

function heldOf({ off, spans = [] }: SwitchesTold): { off: ReadonlySet<string>; spans: readonly SwitchSpan[] } {
  return { off: new Set(off), spans };
}

/** Asks auth whenever it tells of a change, or may have. All asking is one after the other, so that the last answer is the newest. */
function askWhenTold(
  nats: Parameters<typeof followSwitches>[0],
  take: (told: SwitchesTold) => Promise<void>,
): Pick<Switches, 'refresh' | 'stop'> {
  let asking: Promise<void> | undefined;
  let again = false;
  let failed = false;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  const askOnce = async (): Promise<void> => {
    try {
      const how = { timeoutMs: RIGHTS_ASK_TIMEOUT_MS };
      const { entries } = await nats.request(rightsRpc, { keys: [SWITCHES_KEY] }, how);
      const { value } = entries.find(({ key }) => key === SWITCHES_KEY) ?? { value: null };
      // Nothing is there before the first switch was thrown, nor in a release that knows none.
      await take(value === null || value === undefined ? { off: [] } : switchesTold.parse(value));
      failed = false;
    } catch (err) {
      if (isStopped) return;
      if (!failed) nats.log.warn({ err }, 'the switches cannot be read or kept; the last answer stands');
      failed = true;
      retry = setTimeout(() => void refresh(), RIGHTS_RETRY_MS);
      retry.unref();
    }
  };
  const refresh = (): Promise<void> => {
    if (isStopped) return Promise.resolve();
    again = true;
    asking ??= (async () => {
      while (again && !isStopped) {
        again = false;
        clearTimeout(retry);
        await askOnce();
      }
      asking = undefined;
    })();
    return asking;
  };

  const endHearing = hearRights(nats, ({ keys, follows }) => {
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
      endHearing();
      await asking;
    },
  };
}
