import { readFile } from 'node:fs/promises';
import { namesAtMetrics } from '@cord/kit/metrics/table';
import { opsUrlOf } from '@cord/kit/ops-port';
import { namesShown } from '@cord/kit/testing/figures';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { describe, expect, test, vi } from 'vitest';
import { openTaskCenter } from './test/people.js';

const tasks = forAllTests(() => openTaskCenter());

/** Reads a metric of the running service by name and one label; undefined without a sample. */
async function figure(name: string, label: string): Promise<number | undefined> {
  const text = await (await fetch(`${opsUrlOf(tasks.url)}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(label));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

const records = (name: string) => figure(`cord_outbox_${name}`, 'outbox="records"');

describe('the response of /metrics', () => {
  test('has every metric of the table, and no other', async () => {
    const text = await (await fetch(`${opsUrlOf(tasks.url)}/metrics`)).text();
    expect(namesShown(text)).toEqual(namesAtMetrics('tasks', { processFigures: false }));
    const { version } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'));
    expect(text).toContain(`cord_build_info{version="${version}",node="${process.version}",service="tasks"} 1`);
  });

  test('has what alerts watch at 0, for every label value, so that they see the first event', async () => {
    for (const stream of ['CORD_TASKS', 'CORD_USERS'])
      expect(await figure('cord_dead_letters_total', `stream="${stream}"`)).toBe(0);
    expect(await figure('cord_rate_limited_total', 'class="claim"')).toBe(0);
    expect(await figure('cord_store_duration_seconds_count', 'outcome="unavailable"')).toBe(0);
    expect(await figure('cord_periodic_seconds_count', 'name="presence",outcome="failed"')).toBe(0);
  });

  test('has the durations of responses, store and requests, by kind and outcome', async () => {
    const user = await tasks.newcomer();
    expect((await user.complete('early-adopter')).status).toBe(200);
    const route = 'method="POST",route="tasks.complete",status="200"';
    expect(await figure('http_server_request_duration_seconds_count', route)).toBeGreaterThan(0);
    expect(await figure('cord_store_duration_seconds_count', 'outcome="done"')).toBeGreaterThan(0);
    const credited = 'subject="cord.rpc.v1.ledger.credit.tasks",outcome="answered"';
    expect(await figure('cord_rpc_duration_seconds_count', credited)).toBeGreaterThan(0);
  });

  test('has the age of the oldest credit waiting for the ledger, and the number of parked ones', async () => {
    const user = await tasks.newcomer();
    expect(await records('oldest_seconds')).toBe(0);
    tasks.ledger.down = true;
    expect((await user.complete('early-adopter')).body).toMatchObject({ success: true, pending: true });
    await tasks.clock.advance(20_000);
    expect(await records('oldest_seconds')).toBe(20);
    const key = `task:early-adopter:${user.userId}:once`;
    const other = { key, userId: user.userId, source: 'task' as const, amountMicro: '1', reason: 'Another' };
    tasks.ledger.credits.push(other);
    tasks.ledger.down = false;
    await tasks.clock.advance(120_000);
    expect(await records('oldest_seconds')).toBe(0);
    expect(await records('parked_documents')).toBe(1);
  });

  test('has the age of the outboxes, the fill level of the streams and the lag of the consumers', async () => {
    await vi.waitFor(async () => {
      expect(await figure('cord_consumer_pending_messages', 'stream="CORD_USERS"')).toBe(0);
    }, PATIENCE_MS);
    expect(await figure('cord_outbox_oldest_seconds', 'outbox="streaks"')).toBe(0);
    const [bytes, limit] = [
      await figure('cord_stream_bytes', 'stream="CORD_TASKS"'),
      await figure('cord_stream_limit_bytes', 'stream="CORD_TASKS"'),
    ];
    expect(bytes).toBeGreaterThan(0);
    expect(limit).toBeGreaterThan(bytes ?? 0);
  });

  test('has all other metrics while one source fails', async () => {
    await tasks.backend.nats.jsm.streams.delete('CORD_TASKS');
    expect(await figure('cord_stream_bytes', 'stream="CORD_TASKS"')).toBeUndefined();
    expect(await records('parked_documents')).toBe(1);
    await tasks.backend.ensureTopology();
    expect(await figure('cord_stream_bytes', 'stream="CORD_TASKS"')).toBe(0);
  });
});
