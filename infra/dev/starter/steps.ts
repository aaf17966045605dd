import { Listr } from 'listr2';

interface Step {
  /** as shown */
  title: string;
  /** titles of the steps that it waits for */
  after: string[];
  /** may resolve to a remark shown after the title */
  work: () => Promise<unknown>;
}

/**
 * Runs steps with a progress display. A step waits for the steps it names; all others run in parallel. Times exclude
 * waiting.
 */
export class Steps {
  readonly #steps: Step[] = [];

  add(title: Step['title'], after: Step['after'], work: Step['work']): this {
    this.#steps.push({ title, after, work });
    return this;
  }

  /** Runs all steps; throws the first failure once the others have settled or been skipped. */
  async run(): Promise<void> {
    let failed: unknown;
    const outcomes = new Map(this.#steps.map(({ title }) => [title, deferred()]));
    const tasks = this.#steps.map(({ title, after, work }) => ({
      title,
      task: async (_context: unknown, task: { skip: () => void; title: string }) => {
        await Promise.all(after.map((name) => outcomes.get(name)?.promise));
        if (failed) {
          outcomes.get(title)?.resolve();
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
          outcomes.get(title)?.resolve();
        }
      },
    }));
    const options = { concurrent: true, exitOnError: false, registerSignalListeners: false };
    const list = process.stdout.isTTY
      ? new Listr(tasks, { ...options, renderer: 'default', rendererOptions: { showErrorMessage: false } })
      : new Listr(tasks, { ...options, renderer: 'silent' });
    await list.run();
    if (failed) throw failed;
  }
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
