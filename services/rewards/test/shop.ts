import { badgePurchased } from '@cord/contracts/events/rewards';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { type BadgeOrder, rewardEndpoints } from '@cord/contracts/http/rewards';
import { epochsRpc, runningRpc } from '@cord/contracts/rpc/ledger';
import { on } from '@cord/kit/nats/consume';
import type { RunningService } from '@cord/kit/service';
import { type Fixture, startFixture } from '@cord/kit/testing/fixture';
import { call, randomId } from '@cord/kit/testing/index';
import { registered } from '@cord/kit/testing/registered';
import { z } from 'zod';
import { service } from '../service.js';
import { type Runtime, send, startChain, transferOf, wallet } from './chain.js';

export const NOON = Date.UTC(2026, 10, 18, 12);

/** The service with a test key. */
export const testService = {
  ...service,
  config: service.config.extend({ SIGNATURES_KEY: z.string().default('7'.repeat(64)) }),
};

export interface Buyer {
  userId: string;
  token: string;
}

/** Starts rewards and a Solana runtime on the same clock, with everything a purchase needs. */
export async function openShop() {
  const alone: Fixture = await startFixture(testService, NOON);
  const chain = await startChain(() => alone.clock.now());
  const env = { SOLANA_RPC_URL: chain.url, SOLANA_TREASURY: chain.treasury.toBase58() };
  const open = (): Promise<RunningService> => alone.replica({ env });
  let rewards = await open();
  const badges: { userId: string; orderId: string; transaction: string | undefined }[] = [];
  const consuming = alone.backend.nats.orderedConsume({
    stream: 'CORD_REWARDS',
    handlers: [
      on(
        badgePurchased,
        async ({ userId, orderId, transaction }) => void badges.push({ userId, orderId, transaction }),
      ),
    ],
  });

  // Simulates mining: epochs can be edited only when it confirms storing them.
  alone.backend.nats.serve(epochsRpc, async ({ version }) => ({ outcome: 'stored' as const, version }));
  alone.backend.nats.serve(runningRpc, async () => ({ running: 0, sampled: 0, isWhole: true, groups: [] }));

  const shop = {
    alone,
    chain,
    clock: alone.clock,
    /** Published badges, in order. */
    badges,
    get url() {
      return rewards.url;
    },
    async buyer(): Promise<Buyer> {
      const userId = randomId();
      return { userId, token: await alone.tokenOf(userId) };
    },
    async admin(): Promise<Buyer> {
      const userId = await alone.signer.state.newOperator();
      return { userId, token: await alone.tokenOf(userId) };
    },
    register: ({ userId }: Buyer) => alone.publish(userRegistered, userId, registered(NOON)),
    erase: ({ userId }: Buyer) => alone.publish(userErased, userId, {}, 2),
    async order({ token }: Buyer, walletAddress?: string): Promise<BadgeOrder> {
      const body = walletAddress ? { walletAddress } : {};
      return (await call(rewards.url, rewardEndpoints.createOrder, { body, token })).body;
    },
    async look({ token }: Buyer, { id }: { id: string }): Promise<BadgeOrder> {
      return (await call(rewards.url, rewardEndpoints.order, { params: { id }, token })).body;
    },
    async purchases({ userId, token }: Buyer) {
      return (await call(rewards.url, rewardEndpoints.purchases, { params: { id: userId }, token })).body;
    },
    submit(
      { userId, token }: Buyer,
      order: { id: string },
      transactionHash: string,
      more: object = {},
      at = rewards.url,
    ) {
      const body = { ...record(userId, order), transactionHash, ...more };
      return call(at, rewardEndpoints.purchase, { body, token });
    },
    record,
    /** Pays an order as it requires. */
    async pay(order: BadgeOrder, version: 0 | 'legacy' = 0): Promise<string> {
      const from = await wallet(chain);
      return send(chain, [from], [transferOf(from, paymentOf(order))], version);
    },
    /** Advances the clock; due work runs. */
    pass: (ms: number) => alone.clock.advance(ms),
    open,
    async restart(): Promise<void> {
      await rewards.close();
      rewards = await open();
    },
    async stop(): Promise<void> {
      await consuming.stop();
      await rewards.close();
      await alone.stop();
      await chain.stop();
    },
  };
  return shop;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Returns the payment terms of an order. */
export const paymentOf = ({ treasury, lamports, reference }: BadgeOrder) => ({ to: treasury, lamports, reference });

/** The purchase request for an order, without its signature. */
const record = (userId: string, { id }: { id: string }) => ({
  ...{ userId, orderId: id, walletAddress: '1'.repeat(32), amountSol: 0.02, amountUsd: 1 },
});

/** Time for a transaction to be finalised, ms. */
export const FINAL_MS = 5_000;

export type { Runtime };
