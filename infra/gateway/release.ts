import { GATEWAY_USER } from '@cord/contracts/events/permissions';
import { createLive, type Live } from '@cord/kit/live';
import type { Log } from '@cord/kit/log';
import { connectNats, type NatsSettings } from '@cord/kit/nats';
import type { Releases } from './static/registry.js';

/** How often the registry is looked at: five names of folders, while nothing is new. */
const LOOK_EVERY_MS = 300;

/** Tells the live streams when /remotes.json has changed. The gateway serves all the same while NATS is away. */
export function tellReleases(settings: NatsSettings, releases: Releases, log: Log): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const connected = connectNats(settings, GATEWAY_USER, log, stopped.signal).catch(() => null);
  let live: Live | undefined;
  void connected.then((nats) => {
    live = nats ? createLive(nats) : undefined;
  });
  const look = followReleases(releases, log, () => live?.tellAll('release', { seq: String(Date.now()) }));
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return {
    async stop() {
      stopped.abort();
      clearInterval(timer);
      await (await connected)?.drain();
    },
  };
}

/**
 * @returns looks whether something else is published than at the look before; the first one only remembers. What cannot be read is logged when
 * it is met, not at each look.
 */
export function followReleases(releases: Releases, log: Pick<Log, 'error'>, onChange: () => void): () => Promise<void> {
  let known: string | undefined;
  let reported = '';
  return async () => {
    const { version, problems } = await releases().catch((error: Error) => ({
      version: known,
      problems: [error.message],
    }));
    const report = problems.join('; ');
    if (report !== '' && report !== reported) log.error({ problems }, 'the module store holds what cannot be read');
    reported = report;
    if (version === known) return;
    if (known !== undefined) onChange();
    known = version;
  };
}
