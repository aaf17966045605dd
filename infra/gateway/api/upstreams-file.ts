import { stat } from 'node:fs/promises';
import type { Log } from '@cord/kit/log';
import { readUpstreams, type UpstreamName } from '../config.js';
import type { NamedUpstreams } from './names.js';
import type { Upstreams } from './upstreams.js';

/** Interval of checking the file, ms: whoever removes a replica waits for it. */
const POLL_MS = 250;

/**
 * Keeps the upstreams in sync with the file, which is replaced as a whole. A missing or unreadable file is logged once and
 * the known upstreams stay. It is read again at each check, because the failure may be temporary (no free descriptor).
 */
export function followUpstreams(
  file: string,
  named: Pick<NamedUpstreams, 'set'>,
  upstreams: Pick<Upstreams<UpstreamName>, 'probe'>,
  log: Pick<Log, 'info' | 'error'>,
): { stop(): void } {
  let known = '';
  let failed = '';
  const look = async () => {
    const seen = await stat(file).then(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`, String);
    if (seen === known) return;
    known = seen;
    try {
      await named.set(readUpstreams(file));
      // Reads the routes of new replicas at once.
      await upstreams.probe();
    } catch (error) {
      if (seen !== failed)
        log.error(
          { file, reason: (error as Error).message },
          'UPSTREAMS_FILE cannot be read: keeping the last upstreams',
        );
      failed = seen;
      known = '';
    }
  };
  const timer = setInterval(() => void look(), POLL_MS);
  return { stop: () => clearInterval(timer) };
}
