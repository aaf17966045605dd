import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervised } from './supervised.ts';

/** All of it must be over within 10 s of Ctrl-C; each stage has its share, and the whole a limit. */
const STOP_MS_MAX = 9_500;
const STAGE_GRACE_MS: Readonly<Record<string, number>> = { gateway: 1_500, dev: 1_000, nats: 1_500, store: 1_500 };
const SERVICE_GRACE_MS = 4_000;
/** What of this very process is not closed by then ends with it. */
const CLOSE_MS_MAX = 500;
const PARENT_POLL_MS = 500;
/** One Ctrl-C comes twice under npm: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 400;

/** To ours SIGINT: no prober is left that would have to see first that one is unready. */
const signalTo = (service: string) => (service === 'nats' || service === 'store' ? 'SIGTERM' : 'SIGINT');

/** Ends everything in order at the first Ctrl-C (or SIGTERM), and at once at the second. */
export class Shutdown {
  #stopping: Promise<void> | undefined;
  #signalMs = 0;
  readonly #closers: (() => unknown)[] = [];
  #finish = async (): Promise<void> => {};
  readonly #order: readonly (readonly string[])[];
  readonly #processes: readonly Supervised[];

  constructor({ processes, order }: { processes: readonly Supervised[]; order: readonly (readonly string[])[] }) {
    this.#processes = processes;
    this.#order = order;
  }

  /** What comes last, however it ends. */
  finally(finish: () => Promise<void>) {
    this.#finish = finish;
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Something of this process that must be closed too. */
  alsoClose(close: () => unknown) {
    this.#closers.push(close);
  }

  listen() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.#onSignal(signal));
    this.#watchParent();
    // The reader of the output may be gone; the end is in order all the same.
    for (const out of [process.stdout, process.stderr]) out.on('error', () => undefined);
    process.on('uncaughtException', (error) => {
      console.error(error);
      this.#atOnce(1);
    });
  }

  /**
   * Under npm, and started by a program that holds a channel to it (as tests and benchmarks do): stops too when that is gone
   * without notice (kill -9), so that nothing is left behind unseen. Another start may outlive the shell that started it.
   */
  #watchParent() {
    process.once('disconnect', () => this.#onSignal('the parent process has ended'));
    process.channel?.unref();
    if (!process.env.npm_lifecycle_event) return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      this.#onSignal('npm is gone');
    }, PARENT_POLL_MS);
    timer.unref();
  }

  /** Ends the processes stage by stage, each stage's at the same time. */
  stop(): Promise<void> {
    this.#stopping ??= this.#inOrder();
    return this.#stopping;
  }

  async #inOrder() {
    const closed = Promise.allSettled(this.#closers.map((close) => close()));
    await Promise.race([closed, sleep(CLOSE_MS_MAX)]);
    for (const stage of this.#order) {
      const members = this.#processes.filter(({ spec }) => stage.includes(spec.service));
      await Promise.all(
        members.map((one) =>
          one.stop(STAGE_GRACE_MS[one.spec.service] ?? SERVICE_GRACE_MS, signalTo(one.spec.service)),
        ),
      );
    }
    await this.#finish();
  }

  async #onSignal(signal: string) {
    if (Date.now() - this.#signalMs < SAME_SIGNAL_MS) return;
    this.#signalMs = Date.now();
    if (this.isStopping) return this.#atOnce(130);
    console.log(`\n${signal}: shutting down. Repeat to stop immediately.`);
    setTimeout(() => {
      console.log(`Not stopped within ${STOP_MS_MAX / 1000} s: ended by force.`);
      this.#atOnce(0);
    }, STOP_MS_MAX);
    const startedMs = Date.now();
    await this.stop();
    console.log(`Stopped after ${((Date.now() - startedMs) / 1000).toFixed(1)} s. The data is kept.`);
    process.exit(0);
  }

  async #atOnce(exitCode: number) {
    for (const one of this.#processes) one.kill();
    await this.#finish().catch(() => {});
    process.exit(exitCode);
  }
}
