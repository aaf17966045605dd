// @ts-check
/** `node ready.mjs URL`: exits with 0 when URL responds with 200 in time. The image has no curl. */
const ANSWER_MS = 3_000;

const answer = await fetch(process.argv[2] ?? '', { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
process.exit(answer?.status === 200 ? 0 : 1);
