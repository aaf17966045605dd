import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY = /retry: (\d+)\n/g;
/** Retry delay after a temporary refusal, ms. */
const AGAIN_MS = 1_000;

/**
 * A live stream, read like a browser: reconnects after its end, at the last announced time. It only searches the stream
 * for a text.
 */
export class Reader {
  /** status of each attempt; an error code without a response */
  readonly statuses: (number | string)[] = [];
  opened = 0;
  isOpen = false;
  #waiting: { text: string; resolve: (atMs: number) => void } | undefined;
  #sent: ClientRequest | undefined;
  readonly #origin: () => string;
  readonly user: { id: string; token: string };
  #retryMs = 1_000;
  #closed = false;

  /** @param origin returns the next origin */
  constructor(origin: () => string, user: { id: string; token: string }) {
    this.#origin = origin;
    this.user = user;
  }

  /** Resolves when the stream has started. */
  open(): Promise<void> {
    return new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${this.user.token}` };
      const sent = request(`${this.#origin()}/api/events`, { agent: false, headers }, (answer) => {
        this.statuses.push(answer.statusCode ?? 0);
        this.isOpen = answer.statusCode === 200;
        if (this.isOpen) this.opened += 1;
        answer.setEncoding('utf8').on('data', (text) => this.#read(text));
        answer.on('error', () => undefined).once('close', () => void this.#again());
        resolve();
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        this.statuses.push(error.code ?? error.message);
        if (!this.isOpen) void this.#again();
        resolve();
      });
      sent.end();
      this.#sent = sent;
    });
  }

  /** Resolves with the arrival time of an event of that kind, ms. */
  next(kind: string): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting = { text: `event: ${kind}\n`, resolve };
    });
  }

  close(): void {
    this.#closed = true;
    this.#sent?.destroy();
  }

  #read(text: string) {
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
