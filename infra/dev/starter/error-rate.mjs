import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './problems.mjs';

const LOOK_EVERY_MS = 250;
const ASK_TIMEOUT_MS = 2_000;
/** So many failed answers, and this share of all, are no accident of a moment. */
const FAILED_MIN = 3;
const SHARE_MIN = 0.02;
/** And so many times what it was. */
const RISE = 2;

/** Under the name of today, and of releases before. */
const COUNTED = /^(?:http_server_request_duration_seconds|cord_http_seconds)_count\{([^}]*)\} (\S+)/gm;

/**
 * Answers of the API that a service's figures count, and those of them with 5xx. What has no route is the port's own: it is 503 while
 * a service starts.
 * @param {string} text of /metrics
 * @returns {{answers: number, failed: number}}
 */
export function answersIn(text) {
  const counted = { answers: 0, failed: 0 };
  for (const [, labels, value] of text.matchAll(COUNTED)) {
    if (labels.includes('route="none"')) continue;
    counted.answers += Number(value);
    if (/status="5\d\d"/.test(labels)) counted.failed += Number(value);
  }
  return counted;
}

/** Whether these answers fail more than is usual. @param {{answers: number, failed: number}} seen @param {number} usual share */
export function isRisen({ answers, failed }, usual) {
  return failed >= FAILED_MIN && failed / answers > Math.max(SHARE_MIN, RISE * usual);
}

/** @param {{answers: number, failed: number}} seen */
export const shareOf = ({ answers, failed }) => (answers === 0 ? 0 : failed / answers);

/** What replicas have answered in their lives, together. @param {import('./supervised.mjs').Supervised[]} replicas */
export async function answersOf(replicas) {
  const each = await Promise.all(
    replicas.map(({ spec }) =>
      fetch(spec.metricsUrl, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) }).then(
        async (answer) => answersIn(await answer.text()),
        () => ({ answers: 0, failed: 0 }),
      ),
    ),
  );
  return {
    answers: each.reduce((sum, { answers }) => sum + answers, 0),
    failed: each.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/**
 * Looks after new replicas for a while.
 * @param {import('./supervised.mjs').Supervised[]} fresh
 * @param {{usual: number, watchMs: number}} given share of failed answers before them
 * @throws {StartError} when one has died, or when they fail more than is usual
 */
export async function watchReplicas(fresh, { usual, watchMs }) {
  const pids = fresh.map(({ pid }) => pid);
  const before = await answersOf(fresh);
  const deadlineMs = Date.now() + watchMs;
  for (;;) {
    const isLast = Date.now() >= deadlineMs;
    const dead = fresh.find((one, index) => one.pid === undefined || one.pid !== pids[index]);
    if (dead) throw new StartError(`${dead.spec.name} died after it was ready: ${dead.spec.logFile}`);
    const now = await answersOf(fresh);
    const seen = { answers: now.answers - before.answers, failed: now.failed - before.failed };
    if (isRisen(seen, usual))
      throw new StartError(
        `${seen.failed} of ${seen.answers} answers of the new release failed (5xx); before it was ${(usual * 100).toFixed(1)} %`,
      );
    if (isLast) return;
    await sleep(Math.min(LOOK_EVERY_MS, Math.max(1, deadlineMs - Date.now())));
  }
}
