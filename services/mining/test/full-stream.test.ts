import { balanceChanged } from '@cord/contracts/events/balance';
import { subjectOf } from '@cord/contracts/events/envelope';
import { OUTBOX_ITEMS_MAX } from '@cord/kit/bounds';
import { countDeadLetters } from '@cord/kit/nats/dead-letters';
import { opsUrlOf } from '@cord/kit/ops-port';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { eventually, MINUTE_MS, startFixture } from './fixture.js';

const STREAM = 'CORD_BALANCE';

const mining = forAllTests(() => startFixture({ bounds: { dayLimits: {} } }));

/** How full the stream is, as the alerts StreamFilling and StreamFull read it. */
async function fill(): Promise<number> {
  const text = await (await fetch(`${opsUrlOf(mining.replicas[0]?.url ?? '')}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name}{stream="${STREAM}".*} (\\S+)$`, 'm').exec(text)?.[1]);
  return figure('cord_stream_bytes') / figure('cord_stream_limit_bytes');
}

test('a full stream shows in its metrics; the ledger credits past the outbox limit and publishes once there is room', async () => {
  const { jsm } = mining.backend.nats;
  const other = await mining.newUser();
  await eventually(async () => expect((await jsm.streams.info(STREAM)).state.messages).toBe(1));
  expect(await fill()).toBeLessThan(0.8);
  const { bytes } = (await jsm.streams.info(STREAM)).state;
  await jsm.streams.update(STREAM, { max_bytes: bytes });
  await eventually(async () => expect(await fill()).toBeGreaterThan(0.95));

  const user = await mining.newUser();
  const { id } = await user.start();
  for (let minute = 1; minute <= 3; minute += 1) {
    await mining.clock.advance(MINUTE_MS);
    expect((await user.save(id)).newBalance).toBe(minute * 0.5);
  }
  const credits = OUTBOX_ITEMS_MAX + 16;
  for (let n = 0; n < credits; n += 1) await mining.credit(user.id, 'task', `task:t${n}:${user.id}:once`, 1_000_000n);
  const waits = await mining.stored.accounts.findOne({ _id: user.id });
  expect(waits?.announceSeq).toBeGreaterThan(0n);
  expect(waits?.dirtyAt).toBeGreaterThan(0);
  const standing = await jsm.streams.info(STREAM, { subjects_filter: '>' });
  expect(Object.keys(standing.state.subjects ?? {})).toEqual([subjectOf(balanceChanged, other.id)]);

  await mining.backend.ensureTopology();
  await eventually(async () => {
    await mining.clock.advance(MINUTE_MS);
    const last = await jsm.streams.getMessage(STREAM, { last_by_subj: subjectOf(balanceChanged, user.id) });
    const stands = await mining.stored.accounts.findOne({ _id: user.id });
    expect(last?.json()).toMatchObject({ seq: String(stands?.seq), balance: String(stands?.balanceMicro) });
    expect(stands?.outbox).toEqual([]);
  });
  expect((await jsm.streams.info(STREAM)).state.messages).toBe(2);
  expect(await mining.stored.entries.countDocuments({ userId: user.id, source: 'task' })).toBe(credits);
  expect(await countDeadLetters(mining.backend.nats)).toBe(0);
  await mining.audit();
});
