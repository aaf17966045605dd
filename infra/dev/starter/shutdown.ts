import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervised } from './supervised.ts';

/** Limits of a shutdown, ms. All of it must end within 10 s of Ctrl-C; each stage has its own grace. */
const STOP_MS_MAX = 9_500;
const STAGE_GRACE_MS: Readonly<Record<string, number>> = { gateway: 1_500, dev: 1_000, nats: 1_500, store: 1_500 };
const SERVICE_GRACE_MS = 4_000;
/** Time to close resources of this process, in ms; the rest ends with it. */
const CLOSE_MS_MAX = 500;
const PARENT_POLL_MS = 500;
/** npm delivers one Ctrl-C twice: from the terminal, and forwarded by npm. */
const SAME_SIGNAL_MS = 400;

/** Our processes get SIGINT: no probe is left that must first see them unready. */
const signalTo = (service: string) => (service === 'nats' || service === 'store' ? 'SIGTERM' : 'SIGINT');

/** Stops everything in order at the first Ctrl-C (or SIGTERM), and at once at the second. */
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

  /** Sets what runs last, however the shutdown ends. */
  finally(finish: () => Promise<void>) {
    this.#finish = finish;
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Adds a resource of this process to close. */
  alsoClose(close: () => unknown) {
    this.#closers.push(close);
  }

  listen() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.#onSignal(signal));
    this.#watchParent();
    // The reader of the output may have closed it; the shutdown stays orderly.
    for (const out of [process.stdout, process.stderr]) out.on('error', () => undefined);
    process.on('uncaughtException', (error) => {
      console.error(error);
      this.#atOnce(1);
    });
  }

  /**
   * Stops when the parent process dies without notice (kill -9): npm, or a program with an IPC channel (tests,
   * benchmarks). Without either, a start may outlive its shell.
   */
  #watchParent() {
    process.once('disconnect', () => this.#onSignal('the parent process has ended'));
    process.channel?.unref();
    if (!process.env.npm_lifecycle_event) return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      this.#onSignal('npm has ended');
    }, PARENT_POLL_MS);
    timer.unref();
  }

  /** Stops the processes stage by stage; those of one stage in parallel. */
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
      console.log(`Not stopped within ${STOP_MS_MAX / 1000} s: killed.`);
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
