/** How long a test waits for what will surely come, ms: a busy machine is no failure, and what is there is seen at once. */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 240_000);
