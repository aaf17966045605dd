/** All of it must be over within 10 s of Ctrl-C; each stage has its share. */
const STAGE_GRACE_MS = { gateway: 1_500, dev: 1_000, nats: 1_500, store: 1_500 };
const SERVICE_GRACE_MS = 4_000;

/** Ends everything in order at the first Ctrl-C (or SIGTERM), and at once at the second. */
export class Shutdown {
  #stopping;
  #closers = [];
  #finish = async () => {};

  /** @param {{processes: import('./supervised.mjs').Supervised[], order: string[][]}} given */
  constructor({ processes, order }) {
    this.processes = processes;
    this.order = order;
  }

  /** What comes last, however it ends. @param {() => Promise<void>} finish */
  finally(finish) {
    this.#finish = finish;
  }

  get isStopping() {
    return this.#stopping !== undefined;
  }

  /** Something of this process that must be closed too. @param {() => unknown} close */
  alsoClose(close) {
    this.#closers.push(close);
  }

  listen() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.#asked(signal));
    process.on('uncaughtException', (error) => {
      console.error(error);
      this.#atOnce(1);
    });
  }

  /** Ends the processes stage by stage, each stage's at the same time. */
  stop() {
    this.#stopping ??= this.#inOrder();
    return this.#stopping;
  }

  async #inOrder() {
    await Promise.allSettled(this.#closers.map((close) => close()));
    for (const stage of this.order) {
      const members = this.processes.filter(({ spec }) => stage.includes(spec.service));
      await Promise.all(members.map((one) => one.stop(STAGE_GRACE_MS[one.spec.service] ?? SERVICE_GRACE_MS)));
    }
    await this.#finish();
  }

  async #asked(signal) {
    if (this.isStopping) return this.#atOnce(130);
    console.log(`\n${signal}: stopping in order; once more to stop at once.`);
    const startedMs = Date.now();
    await this.stop();
    console.log(`Stopped after ${((Date.now() - startedMs) / 1000).toFixed(1)} s. The data is kept.`);
    process.exit(0);
  }

  async #atOnce(exitCode) {
    for (const one of this.processes) one.kill();
    await this.#finish().catch(() => {});
    process.exit(exitCode);
  }
}
