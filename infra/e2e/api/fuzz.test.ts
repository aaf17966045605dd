import fc from 'fast-check';
import { beforeAll, expect, inject, test } from 'vitest';
import { call } from './client.js';
import { type ApiDocument, callsOf } from './fuzz/document.js';
import { judgeOf } from './fuzz/judge.js';
import { requestsOf } from './fuzz/requests.js';
import { Sender } from './fuzz/sender.js';

const origin = inject('origin');
/** Total number of requests; only in the proof, which has no rate limits. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 0);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const LANES = 24;
/** Skipped: what an admin switches off rightly responds 503 from then on. */
const SWITCHES = 'admin.throwSwitch';
const TIME_LIMIT_MS = 3_600_000;

let document: ApiDocument;
beforeAll(async () => {
  document = (await call({ origin }, { method: 'GET', path: '/openapi.json' })).body as ApiDocument;
});

// In the proof only: so many requests change the system for later tests.
test.runIf(REQUESTS > 0)(
  `${REQUESTS} requests generated from the API document get no fault and only documented responses`,
  async () => {
    const calls = callsOf(document).filter(({ operationId }) => operationId !== SWITCHES);
    const each = Math.ceil(REQUESTS / calls.length);
    const judge = judgeOf(document);
    const sender = new Sender(origin);
    const wrong = new Map<string, { times: number; first: string }>();
    const statuses = new Map<number, number>();
    let sent = 0;
    for (let round = 0; sent < REQUESTS; round += 1) {
      const runs = Math.min(50, each);
      const made = calls.map((one, at) =>
        fc.sample(requestsOf(one), {
          numRuns: runs,
          seed: Math.imul(SEED * 1_000_003 + round * 1_009 + at, 0x9e3779b1),
        }),
      );
      // Interleaves the calls, so that each meets the data of others.
      const recipes = Array.from({ length: runs }, (_, n) => made.flatMap((those) => those[n] ?? [])).flat();
      const lane = async () => {
        for (let recipe = recipes.pop(); recipe && sent < REQUESTS; recipe = recipes.pop()) {
          sent += 1;
          const answer = await sender.send(recipe);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const found = judge(recipe.call, answer);
          if (found === null) continue;
          const key = `${recipe.call.operationId}: ${found}`;
          wrong.set(key, { times: (wrong.get(key)?.times ?? 0) + 1, first: wrong.get(key)?.first ?? answer.line });
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    }
    console.log(
      `${sent} requests of ${calls.length} calls: ${[...statuses]
        .sort()
        .map(([status, n]) => `${status} x ${n}`)
        .join(', ')}`,
    );
    expect([...wrong].map(([key, { times, first }]) => `${key} (${times} times, first by ${first})`)).toEqual([]);
  },
  TIME_LIMIT_MS,
);
