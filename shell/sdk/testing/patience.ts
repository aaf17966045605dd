/** How long a test of the page waits for what will surely come, ms: a busy machine is no failure, and what is there is seen at once. Less by the environment, for who
 * writes a test or the code that it is of. */
export const PATIENCE_MS = Number(globalThis.process?.env.PATIENCE_MS ?? 240_000);
