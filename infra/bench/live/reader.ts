import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY = /retry: (\d+)\n/g;
/** Answers with the meaning "not now": tried again after this, ms. */
const AGAIN_MS = 1_000;

/**
 * A live stream as a browser reads it: comes again after its end, at the time that was announced last. The one thing that it does
 * with what it reads is to look for a text.
 */
export class Reader {
  /** of each try; the code of an error where there was no answer */
  readonly statuses: (number | string)[] = [];
  opened = 0;
  isOpen = false;
  #waiting: { text: string; resolve: (atMs: number) => void } | undefined;
  #sent: ClientRequest | undefined;
  readonly #origin: () => string;
  readonly user: { id: string; token: string };
  #retryMs = 1_000;
  #closed = false;

  /** @param origin where to go next */
  constructor(origin: () => string, user: { id: string; token: string }) {
    this.#origin = origin;
    this.user = user;
  }

  /** Resolves when the stream has begun. */
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

  /** Resolves with the time at which an event of the kind has come, ms. */
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
