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

/** How often the registry is looked at: five names of folders, while nothing is new. */
const LOOK_EVERY_MS = 300;

/** What a gateway does about releases beside its calls. */
export interface ReleaseRound {
  /** The newest line of each module and of the shell, as of the last look. */
  lines(): Readonly<Record<string, Line>>;
  /** What is published and not switched off. */
  releases: Releases;
  stop(): Promise<void>;
}

/**
 * Looks at what is published, again and again: notifies the live streams when /remotes.json has changed. The gateway serves all the same
 * while NATS is away.
 * @param connected NATS; null where there is none
 * @param store which operators read, and on which they act
 * @param kept the last answer about the switches, which holds until there is another one
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
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
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

/** What is done as the registry is looked at. */
interface Followers {
  /** Something else is published than at the look before. */
  onChange(): void;
  onLook?(lines: Readonly<Record<string, Line>>): void;
}

/**
 * @returns looks whether something else is published than at the look before; the first one only remembers. What cannot be read is logged when
 * it is met, not at each look.
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
    if (report !== '' && report !== reported) log.error({ problems }, 'the module store holds what cannot be read');
    reported = report;
    if (version !== known) {
      if (known !== undefined) onChange();
      known = version;
    }
    if (lines) onLook?.(lines);
  };
}
