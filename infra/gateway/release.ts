import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GATEWAY_USER } from '@cord/contracts/events/permissions';
import { createLive, type Live } from '@cord/kit/live';
import type { Log } from '@cord/kit/log';
import { connectNats, type NatsSettings } from '@cord/kit/nats';

/** How often the registry is looked at; a publish is one rename of its file. */
const LOOK_EVERY_MS = 1_000;

/** Tells the live streams when /remotes.json has changed. The gateway serves all the same while NATS is away. */
export function tellReleases(settings: NatsSettings, moduleStore: string, log: Log): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const connected = connectNats(settings, GATEWAY_USER, log, stopped.signal).catch(() => null);
  let live: Live | undefined;
  void connected.then((nats) => {
    live = nats ? createLive(nats) : undefined;
  });
  const look = followFile(join(moduleStore, 'remotes.json'), (changedAtMs) => {
    live?.tellAll('release', { seq: String(Math.floor(changedAtMs)) });
  });
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return {
    async stop() {
      stopped.abort();
      clearInterval(timer);
      await (await connected)?.drain();
    },
  };
}

/** @returns looks whether the file is another than at the look before; the first one only remembers */
export function followFile(file: string, onChange: (changedAtMs: number) => void): () => Promise<void> {
  let known: number | undefined;
  return async () => {
    const found = await stat(file).catch(() => undefined);
    if (!found || found.mtimeMs === known) return;
    if (known !== undefined) onChange(found.mtimeMs);
    known = found.mtimeMs;
  };
}
