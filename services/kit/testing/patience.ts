/** Maximum wait of a test for something certain, ms: a busy machine is no failure, and a result is seen at once. */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 240_000);
