// @ts-check
/** A reason not to start that the reader can act on: shown as one message, without a stack trace. */
export class StartError extends Error {
  /** @override */
  name = 'StartError';
}

/**
 * Runs a command; a refusal is one message and exit code 1, any other error is shown whole.
 * @param {() => Promise<void>} work
 */
export async function runCommand(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}
