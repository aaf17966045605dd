import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { accountRpc, creditRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { dayKey } from '@cord/contracts/rules/days';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { opsUrlOf } from '@cord/kit/ops-port';
import type { RunningService } from '@cord/kit/service';
import { call, createSigner, randomId, type Signer, startForTest, startTestBackend } from '@cord/kit/testing/index';
import { forAllTests, untilTestEnds } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { scratch } from '@cord/kit/testing/scratch';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { mining } from '../service.js';

const backend = forAllTests(() => startTestBackend());
let signer: Signer;
beforeAll(async () => {
  signer = await createSigner(backend.nats);
});

const PATIENT = { timeoutMs: 60_000 };
const micro = (cord: number) => String(cord * 1_000_000);

/** A user of the highest tier. */
async function newUser(): Promise<string> {
  const userId = randomId();
  const nowMs = Date.now();
  // The server may not have the responders yet.
  await vi.waitFor(
    () => backend.nats.request(openAccount, { userId, discordCreatedAt: nowMs - 10 * YEAR_MS, at: nowMs }, PATIENT),
    PATIENCE_MS,
  );
  return userId;
}
const callAt = async (service: RunningService, userId: string, endpoint: typeof api.start) =>
  call(service.url, endpoint, { params: { id: userId }, token: await signer.sign(userId, { nowMs: Date.now() }) });
const credit = (userId: string) => {
  const key = `checkin:${userId}:${dayKey(Date.now())}`;
  return backend.nats.request(
    creditRpc('tasks'),
    { userId, key, source: 'checkin', amountMicro: micro(55), reason: '' },
    PATIENT,
  );
};
const accountOf = async (userId: string) => {
  const account = await backend.nats.request(accountRpc, { userId }, PATIENT);
  if (!account) throw new Error('no account');
  return account;
};

describe('a replica whose clock runs a year ahead', () => {
  test('of the machine: mints nothing, pauses no node, and takes no account along', async () => {
    const off = { ms: 0 };
    const dbName = backend.dbName('mining');
    const service = await startForTest(mining, backend, { dbName, machineNow: () => Date.now() + off.ms });
    try {
      const userId = await newUser();
      expect((await callAt(service, userId, api.start)).status).toBe(200);
      off.ms = YEAR_MS;
      expect((await callAt(service, userId, api.start)).status).toBe(503);
      await expect(credit(userId)).rejects.toMatchObject({ status: 503 });
      off.ms = 0;
      await credit(userId);
      const account = await accountOf(userId);
      expect(account.node.status).toBe('active');
      expect(account.day.key).toBe(dayKey(Date.now()));
      // A minute of the highest tier is 5 CORD.
      expect(BigInt(account.balance)).toBeLessThan(BigInt(micro(55 + 50)));
    } finally {
      await service.close();
    }
  });

  test('of local mode, moved there alone: the same, and with its own clock back it goes on', async () => {
    const { folder } = untilTestEnds(await scratch());
    await writeFile(join(folder, 'clock.json'), '{"offsetMs":0}');
    const dbName = backend.dbName('mining');
    const start = () => startForTest(mining, backend, { dbName, env: { CORD_DATA: folder } });
    let service = await start();
    try {
      const userId = await newUser();
      expect((await callAt(service, userId, api.start)).status).toBe(200);
      const moved = await fetch(`${opsUrlOf(service.url)}/dev/clock`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ offsetMs: YEAR_MS }),
      });
      expect(moved.status).toBe(200);
      await expect(credit(userId)).rejects.toMatchObject({ status: 503 });
      await service.close();
      service = await start();
      // The server may not have the responders yet.
      await vi.waitFor(() => credit(userId), PATIENCE_MS);
      const account = await accountOf(userId);
      expect(account.node.status).toBe('active');
      expect(account.day.key).toBe(dayKey(Date.now()));
      expect(BigInt(account.balance)).toBeLessThan(BigInt(micro(55 + 50)));
      expect((await callAt(service, userId, api.start)).body).toMatchObject({ status: 'active' });
    } finally {
      await service.close();
    }
  });
});
