import type { ServiceName } from '@cord/contracts/endpoint';
import { ALL_CREDITS, accountRpc, creditRpc } from '@cord/contracts/rpc/ledger';
import { describe, expect, it } from 'vitest';
import { createLedgerClient } from './ledger-client.js';
import { createLogger } from './log.js';
import { connectNats, type Nats } from './nats.js';
import { startConnectedServices } from './testing/accounts-nats.js';
import { randomId } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const log = createLogger('test', 'silent');
const server = forAllTests(() => startConnectedServices(log));
const as = (name: ServiceName): Nats => server.as(name);

describe('a request between services', () => {
  it('counts only with a reply subject in the inbox of an allowed caller', async () => {
    const received: string[] = [];
    const rpc = creditRpc('rewards');
    const serving = as('mining').serve({ ...rpc, subject: ALL_CREDITS }, async ({ key, amountMicro }) => {
      received.push(key);
      return { key, replayed: false, amountMicro, balanceMicro: '7', seq: '3', at: 1 };
    });
    await as('mining').nc.flush();
    const credit = (key: string) =>
      JSON.stringify({ userId: randomId(), key, source: 'cordclaim', amountMicro: '5', reason: 'Claim' });
    for (const reply of [
      undefined,
      '_INBOX_tasks.x',
      '_INBOX_rewardsx.y',
      'cord.rpc.v1.ledger.credit.tasks',
      '$JS.ACK.x',
    ]) {
      server.admin.nc.publish(rpc.subject, credit(`key:${reply}`), reply ? { reply } : {});
    }
    server.admin.nc.publish(rpc.subject, credit('key:own'), { reply: '_INBOX_rewards.x' });
    await expect.poll(() => received).toEqual(['key:own']);
    await serving.stop();
  });

  it('reaches a yielding replica, and counts there only with the inbox of an allowed caller', async () => {
    const received: string[] = [];
    const yielding = await connectNats({ NATS_URL: server.urlFor('mining') }, 'mining', log);
    yielding.yieldWhile(() => true);
    await expect.poll(() => yielding.isYielding()).toBe(true);
    const rpc = { ...creditRpc('rewards'), subject: ALL_CREDITS };
    const serving = [
      yielding.serve(rpc, async ({ key, amountMicro }, { subject }) => {
        received.push(subject);
        return { key, replayed: false, amountMicro, balanceMicro: '7', seq: '3', at: 1 };
      }),
      yielding.serve(accountRpc, async () => null),
    ];
    await yielding.nc.flush();
    const ledger = createLedgerClient(as('rewards'), 'rewards');
    const credit = {
      userId: randomId(),
      key: 'claim:yields',
      source: 'cordclaim',
      amountMicro: 5n,
      reason: '',
    } as const;
    expect(await ledger.credit(credit)).toMatchObject({ balanceMicro: 7n });
    expect(await as('tasks').request(accountRpc, { userId: randomId() })).toBeNull();
    expect(received).toEqual(['cord.rpc.v1.ledger.credit.rewards.fallback']);
    const text = JSON.stringify({ ...credit, amountMicro: '5' });
    server.admin.nc.publish('cord.rpc.v1.ledger.credit.rewards.fallback', text, { reply: '_INBOX_tasks.x' });
    await server.admin.nc.flush();
    await ledger.credit(credit);
    expect(received).toHaveLength(2);
    for (const one of serving) await one.stop();
    await yielding.drain();
  });

  it('gets a response from a service that has lost its store and may not serve another subject', async () => {
    const mining = await connectNats({ NATS_URL: server.urlFor('mining') }, 'mining', log);
    let isLost = false;
    mining.yieldWhile(() => isLost);
    const answer = async () => null;
    const serving = [
      mining.serve({ ...accountRpc, subject: 'cord.rpc.v1.rank.get' }, answer),
      mining.serve(accountRpc, answer),
    ];
    // The refusal is there before what follows it on the same connection.
    await mining.nc.flush();
    isLost = true;
    await expect.poll(() => mining.isYielding()).toBe(true);
    await mining.nc.flush();
    expect(await as('tasks').request(accountRpc, { userId: randomId() })).toBeNull();
    for (const one of serving) await one.stop();
    await mining.drain();
  });
});
