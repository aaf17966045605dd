import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY = /retry: (\d+)\n/g;
/** Answers that say "not now": tried again after this, ms. */
const AGAIN_MS = 1_000;

/**
 * A live stream as a browser reads it: comes again after its end, at the time that was said last. The one thing that it does
 * with what it reads is to look for a text.
 */
export class Reader {
  statuses = [];
  opened = 0;
  isOpen = false;
  #waiting;
  #retryMs = 1_000;
  #closed = false;

  /** @param {() => string} origin where to go next @param {{id: string, token: string}} user */
  constructor(origin, user) {
    this.origin = origin;
    this.user = user;
  }

  /** Resolves when the stream has begun. */
  open() {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${this.user.token}` };
      const sent = request(`${this.origin()}/api/events`, { agent: false, headers }, (answer) => {
        this.statuses.push(answer.statusCode);
        this.isOpen = answer.statusCode === 200;
        if (this.isOpen) this.opened += 1;
        answer.setEncoding('utf8').on('data', (text) => this.#read(text));
        answer.on('error', () => undefined).once('close', () => void this.#again());
        resolve();
      });
      sent.on('error', (error) => {
        this.statuses.push(error.code);
        if (!this.isOpen) void this.#again();
        resolve();
      });
      sent.end();
      this.sent = sent;
    });
  }

  /** Resolves with the time at which an event of the kind has come, ms. */
  next(kind) {
    return new Promise((resolve) => {
      this.#waiting = { text: `event: ${kind}\n`, resolve };
    });
  }

  close() {
    this.#closed = true;
    this.sent?.destroy();
  }

  #read(text) {
    for (const [, ms] of text.matchAll(RETRY)) this.#retryMs = Number(ms);
    if (this.#waiting === undefined || !text.includes(this.#waiting.text)) return;
    this.#waiting.resolve(performance.now());
    this.#waiting = undefined;
  }

  async #again() {
    const waitMs = this.isOpen ? this.#retryMs : AGAIN_MS;
    this.isOpen = false;
    await sleep(waitMs);
    if (!this.#closed) await this.open();
  }
}
