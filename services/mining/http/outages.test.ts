import { correctionEndpoints } from '@cord/contracts/http/corrections';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { overviewEndpoints as api } from '@cord/contracts/http/overview';
import { outagesRpc } from '@cord/contracts/rpc/checkin';
import type { Consuming } from '@cord/kit/nats/consume';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { eventually, HOUR_MS, MINUTE_MS, startFixture, type TestUser } from '../test/fixture.js';

const mining = forAllTests(() => startFixture());
let [operator, second] = ['', ''];
/** What tasks answers; null: it is away. */
let outages: z.output<typeof outagesRpc.reply> | null;
let tasks: Consuming;

beforeAll(async () => {
  tasks = mining.backend.nats.serve(outagesRpc, async () => outages ?? Promise.reject(new Error('away')));
  const { state } = mining.signer;
  [operator, second] = [await state.newOperator(), await state.newOperator()];
});
afterAll(() => tasks?.stop());

const now = () => mining.clock.now();
const iso = (ms: number) => new Date(ms).toISOString();
const url = () => mining.replicas[0]?.url ?? '';
const tokenOf = (by: string) => mining.signer.sign(by, { nowMs: now() });

/** Counts are made anew only after a while. */
async function counted() {
  await mining.clock.advance(MINUTE_MS);
  const { status, body } = await call(url(), api.outageNodes, { token: await tokenOf(operator) });
  expect(status).toBe(200);
  return body.outages;
}
const listed = async (query: { from: string; to: string; limit?: number; cursor?: string }) => {
  const { status, body } = await call(url(), api.pausedNodes, { query, token: await tokenOf(operator) });
  expect(status).toBe(200);
  return body;
};

/** Two operators credit a user. */
async function corrected({ id }: TestUser, amount: number) {
  const body = { amount, reason: 'The outage of the evening' };
  const proposed = await call(url(), correctionEndpoints.propose, {
    params: { id },
    body,
    token: await tokenOf(operator),
  });
  expect(proposed.status).toBe(201);
  const decided = await call(url(), correctionEndpoints.decide, {
    params: { id: proposed.body.id },
    body: { decision: 'confirm', reason: 'Seen' },
    token: await tokenOf(second),
  });
  expect(decided.status).toBe(200);
}

describe('the nodes affected by an outage of the check-in', () => {
  test('are those whose lease ended in it, with their number, users, who runs again and who got a correction', async () => {
    const [first, late, same, stopped, steady] = await Promise.all(Array.from({ length: 5 }, () => mining.newUser(2)));
    if (!first || !late || !same || !stopped || !steady) throw new Error('no users');
    const startMs = now();
    for (const user of [first, stopped]) await user.start();
    await mining.clock.advance(10 * MINUTE_MS);
    for (const user of [late, same]) await user.start();
    await mining.clock.advance(HOUR_MS);
    await stopped.call(miningEndpoints.deactivate);
    await steady.start();
    // Leases end 8 h after the last contact: in the outage those of the first three.
    await mining.clock.advance(startMs + 8.5 * HOUR_MS - now());
    const span = { fromMs: startMs + 8 * HOUR_MS, toMs: startMs + 8 * HOUR_MS + 30 * MINUTE_MS };
    outages = {
      outages: [
        { fromMs: startMs - 2 * HOUR_MS, toMs: startMs - HOUR_MS },
        { ...span, toMs: null },
      ],
    };
    await eventually(async () => {
      expect(await mining.stored.sessions.countDocuments({ status: 'paused' })).toBe(3);
    });
    const none = { from: iso(startMs - 2 * HOUR_MS), paused: 0, corrected: 0 };
    expect(await counted()).toEqual([{ from: iso(span.fromMs), paused: 3, corrected: 0 }, none]);

    outages = { outages: [{ fromMs: startMs - 2 * HOUR_MS, toMs: startMs - HOUR_MS }, span] };
    await late.start();
    await corrected(first, 12.5);
    await corrected(steady, 3);
    expect(await counted()).toEqual([{ from: iso(span.fromMs), paused: 3, corrected: 1 }, none]);

    const query = { from: iso(span.fromMs), to: iso(span.toMs) };
    const { nodes, nextCursor } = await listed(query);
    const pausedAt = iso(startMs + 8 * HOUR_MS + 10 * MINUTE_MS);
    const rows = [
      { userId: late.id, pausedAt, runs: true, corrected: null },
      { userId: same.id, pausedAt, runs: false, corrected: null },
      { userId: first.id, pausedAt: iso(span.fromMs), runs: false, corrected: 12.5 },
    ];
    expect(nextCursor).toBeNull();
    expect(new Set(nodes)).toEqual(new Set(rows));
    expect(nodes.at(-1)).toEqual(rows.at(-1));
    // What shares a moment stands on one page.
    const page = await listed({ ...query, limit: 1 });
    expect(page.nodes).toHaveLength(2);
    const rest = await listed({ ...query, limit: 1, cursor: page.nextCursor ?? '' });
    expect(rest).toEqual({ nodes: rows.slice(-1), nextCursor: null });
    // The end is left out.
    expect((await listed({ from: query.from, to: pausedAt })).nodes).toEqual(rows.slice(-1));
  });

  test('are not counted (503) while tasks does not report the outages', async () => {
    outages = null;
    await mining.clock.advance(MINUTE_MS);
    const { status, problem } = await call(url(), api.outageNodes, { token: await tokenOf(operator) });
    expect([status, problem?.type]).toEqual([503, 'outages-unknown']);
  });

  test('respond 400 with the field name for a span that ends where it begins', async () => {
    const query = { from: iso(now()), to: iso(now()) };
    const answer = await call(url(), api.pausedNodes, { query, token: await tokenOf(operator) });
    expect([answer.status, answer.problem?.errors?.[0]?.path]).toEqual([400, 'to']);
  });
});
