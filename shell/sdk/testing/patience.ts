/** Maximum wait of a page test, ms: long enough for a busy machine. The environment variable shortens it while a test or its code is being written. */
export const PATIENCE_MS = Number(globalThis.process?.env.PATIENCE_MS ?? 240_000);
