import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { call } from '@cord/kit/testing/index';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { testRepublishing } from '@cord/kit/testing/republish';
import { expect, vi } from 'vitest';
import { FINAL_MS, openShop } from './test/shop.js';

testRepublishing('rewards', async () => {
  const shop = await openShop();
  const make = async () => {
    const buyer = await shop.buyer();
    await shop.register(buyer);
    await vi.waitFor(async () => {
      const body = { userId: buyer.userId };
      const { status } = await call(shop.url, rewardEndpoints.compensation, { body, token: buyer.token });
      expect(status).toBe(200);
    }, PATIENCE_MS);
    return buyer;
  };
  return {
    backend: shop.alone.backend,
    streams: { CORD_REWARDS: 'each subject' },
    make,
    async finish() {
      const [holder, gone] = [await make(), await make()];
      const order = await shop.order(holder);
      await shop.submit(holder, order, await shop.pay(order));
      await shop.pass(FINAL_MS);
      await shop.look(holder, order);
      await vi.waitFor(() => expect(shop.badges).toHaveLength(1), PATIENCE_MS);
      await shop.erase(gone);
    },
    stop: shop.stop,
  };
});
