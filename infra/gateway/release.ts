import type { ModuleStore } from '@cord/deploy/store/folder-store';
import type { Line } from '@cord/deploy/store/release-line';
import { createLive } from '@cord/kit/live';
import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import { followSwitches, type Switches } from '@cord/kit/switches';
import { serveOperators } from './operators.js';
import type { Releases } from './static/registry.js';
import { withSwitches } from './static/switched.js';
import type { switchesInFile } from './switches-kept.js';

/** Interval of checking the registry, ms; without changes it reads five folder names. */
const POLL_MS = 300;

/** The gateway's work on releases. */
export interface ReleaseRound {
  /** Newest line of each module and of the shell, at the last check. */
  lines(): Readonly<Record<string, Line>>;
  /** Published modules, marked when switched off. */
  releases: Releases;
  stop(): Promise<void>;
}

/**
 * Follows what is published, and notifies the live streams when /remotes.json has changed. It works while NATS is
 * away, too.
 * @param connected NATS; null without it
 * @param store that operators read and act on
 * @param kept the last known switches, used until a new response arrives
 */
export function releaseRound(
  connected: Promise<Nats | null>,
  releases: Releases,
  store: ModuleStore,
  kept: ReturnType<typeof switchesInFile>,
  log: Log,
): ReleaseRound {
  let nats: Nats | null = null;
  let switches: Switches | null = null;
  let operators: { stop(): Promise<void> } | null = null;
  const last = kept.last();
  const before = last && { isOn: async (name: string) => !last.off.includes(name) };
  const switched = withSwitches(releases, () => switches ?? before);
  let lines: Readonly<Record<string, Line>> = {};
  const hearing = connected.then(async (made) => {
    nats = made;
    if (!made) return;
    operators = serveOperators(made, store);
    switches = await followSwitches(made, { kept });
  });

  const look = followReleases(switched, log, {
    onChange: () => nats && createLive(nats).sendAll('release', { seq: String(Date.now()) }),
    onLook: (newest) => {
      lines = newest;
    },
  });
  const timer = setInterval(() => void look(), POLL_MS);
  return {
    releases: switched,
    lines: () => lines,
    async stop() {
      clearInterval(timer);
      await hearing;
      await operators?.stop();
      await switches?.stop();
    },
  };
}

/** Callbacks of the registry checks. */
interface Followers {
  /** The published releases changed since the last check. */
  onChange(): void;
  onLook?(lines: Readonly<Record<string, Line>>): void;
}

/**
 * Creates the check of the registry. Read errors are logged when they change, not at each check.
 * @returns a check for changes since the previous one; the first only stores the state
 */
export function followReleases(
  releases: Releases,
  log: Pick<Log, 'error'>,
  { onChange, onLook }: Followers,
): () => Promise<void> {
  let known: string | undefined;
  let reported = '';
  return async () => {
    const { version, problems, lines } = await releases().catch((error: Error) => ({
      version: known,
      problems: [error.message],
      lines: undefined,
    }));
    const report = problems.join('; ');
    if (report !== '' && report !== reported) log.error({ problems }, 'the module store has unreadable entries');
    reported = report;
    if (version !== known) {
      if (known !== undefined) onChange();
      known = version;
    }
    if (lines) onLook?.(lines);
  };
}
