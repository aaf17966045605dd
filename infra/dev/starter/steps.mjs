import { Listr } from 'listr2';

/**
 * A progress display of steps that wait for each other by name and otherwise run at the same time. Each shows its own
 * time, without the time it waited.
 */
export class Steps {
  #steps = [];

  /**
   * @param {string} title as shown
   * @param {string[]} after titles of the steps it waits for
   * @param {() => Promise<string | void>} work may answer a remark that is shown behind the title
   */
  add(title, after, work) {
    this.#steps.push({ title, after, work });
    return this;
  }

  /** Runs all steps; the first failure is thrown once the others have settled or been skipped. */
  async run() {
    let failed;
    const outcomes = new Map(this.#steps.map(({ title }) => [title, deferred()]));
    const tasks = this.#steps.map(({ title, after, work }) => ({
      title,
      task: async (_context, task) => {
        await Promise.all(after.map((name) => outcomes.get(name).promise));
        if (failed) {
          outcomes.get(title).resolve();
          return task.skip();
        }
        const startedMs = Date.now();
        try {
          const remark = await work();
          task.title = `${title}${typeof remark === 'string' ? `: ${remark}` : ''} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`;
          if (!process.stdout.isTTY) console.log(`  ${task.title}`);
        } catch (error) {
          failed ??= error;
          throw error;
        } finally {
          outcomes.get(title).resolve();
        }
      },
    }));
    const options = { concurrent: true, exitOnError: false, registerSignalListeners: false };
    const renderer = process.stdout.isTTY
      ? { renderer: 'default', rendererOptions: { showErrorMessage: false } }
      : { renderer: 'silent' };
    await new Listr(tasks, { ...options, ...renderer }).run();
    if (failed) throw failed;
  }
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
