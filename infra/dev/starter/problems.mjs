// @ts-check
/** A reason not to start that the user can fix: shown as one message, without a stack trace. */
export class StartError extends Error {
  /** @override */
  name = 'StartError';
}

/**
 * Runs a command. A StartError prints one message and sets exit code 1; any other error is printed whole.
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
