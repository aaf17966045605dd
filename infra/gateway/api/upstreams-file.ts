import { stat } from 'node:fs/promises';
import type { Log } from '@cord/kit/log';
import { readUpstreams, type UpstreamName } from '../config.js';
import type { NamedUpstreams } from './names.js';
import type { Upstreams } from './upstreams.js';

/** How often the file is looked at: who takes a replica off waits for it. */
const LOOK_EVERY_MS = 250;

/**
 * Has the upstreams be those of the file, from now on; it is replaced as a whole. A file that is gone or cannot be read is
 * logged once, and what was known stays; it is read again at each look, since what failed may have passed (no descriptor was free).
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
      // The routes of a new replica are requested at once.
      await upstreams.probe();
    } catch (error) {
      if (seen !== failed)
        log.error({ file, reason: (error as Error).message }, 'the upstreams cannot be read: they stay as they were');
      failed = seen;
      known = '';
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
