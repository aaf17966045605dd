import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_FILE, clockOffsetMs } from '@cord/kit/clock-file';
import { opsUrlOf } from '@cord/kit/ops-port';
import { writeWhole } from '@cord/kit/whole-file';
import { serviceInstances } from '../running.js';

/** Maximum clock offset; dates further ahead overflow. */
const OFFSET_MAX_MS = 100 * 365.25 * 86_400_000;
const APPLY_TIMEOUT_MS = 240_000;
/** Retry time per service, in ms: a replica that is being replaced reads the new time when it starts. */
const RETRY_FOR_MS = 30_000;
const RETRY_EVERY_MS = 250;

/** Response of GET and POST /dev/clock. */
export interface ClockReading {
  now: string;
  offsetMs: number;
}

/** Thrown when a service did not apply the clock in time. */
export class ClockNotApplied extends Error {}

/** The one clock of a local system: kept in the data folder (@cord/kit/clock-file); every service follows it. */
export class DevClock {
  #offsetMs: number;
  #moving: Promise<unknown> = Promise.resolve();

  constructor(readonly dataDir: string) {
    this.#offsetMs = clockOffsetMs(dataDir);
  }

  /** ms since epoch. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  read(): ClockReading {
    return { now: new Date(this.now()).toISOString(), offsetMs: this.#offsetMs };
  }

  /**
   * Moves the clock. Resolves once every service has applied it and run what fell due. Moves are serialised.
   * @throws RangeError when that is too far, ClockNotApplied naming a service that did not follow
   */
  advance(byMs: number): Promise<ClockReading> {
    const moved = this.#moving.then(() => this.#move(byMs));
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  async #move(byMs: number): Promise<ClockReading> {
    const offsetMs = this.#offsetMs + byMs;
    if (offsetMs > OFFSET_MAX_MS) throw new RangeError('the clock can be at most 100 years ahead');
    await writeWhole(join(this.dataDir, CLOCK_FILE), `${JSON.stringify({ offsetMs })}\n`);
    this.#offsetMs = offsetMs;
    const instances = await serviceInstances(this.dataDir);
    await Promise.all(instances.map(({ name, index }) => this.#apply(name, index, offsetMs)));
    return this.read();
  }

  /** Reads the replica's address again at each attempt: it may have been replaced meanwhile. */
  async #apply(name: string, index: number, offsetMs: number): Promise<void> {
    const giveUpMs = Date.now() + RETRY_FOR_MS;
    let reason = '';
    do {
      const instance = (await serviceInstances(this.dataDir)).find((one) => one.name === name && one.index === index);
      if (!instance) return;
      try {
        const answer = await fetch(`${opsUrlOf(instance.url)}/dev/clock`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ offsetMs }),
          signal: AbortSignal.timeout(APPLY_TIMEOUT_MS),
        });
        const text = await answer.text();
        if (answer.ok) return;
        reason = `${answer.status} ${text.slice(0, 200)}`;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
      await sleep(RETRY_EVERY_MS);
    } while (Date.now() < giveUpMs);
    throw new ClockNotApplied(`${name} did not apply the clock: ${reason}`);
  }
}
