import { userErased } from '@cord/contracts/events/user';
import { cord } from '@cord/contracts/rules/money';
import { testRepublishing } from '@cord/kit/testing/republish';
import { startReferrals, TEN_MINUTES } from './test/people.js';

testRepublishing('referrals', async () => {
  const alone = await startReferrals();
  const make = async () => {
    const [referrer, friend] = [await alone.person(), await alone.person()];
    await alone.joins(friend, referrer.code);
    return { referrer, friend };
  };
  return {
    backend: alone.backend,
    streams: { CORD_REFERRALS: 'each subject' },
    make,
    async finish() {
      const [pair, widowed] = [await make(), await make()];
      await alone.earns(pair.friend, cord(10), TEN_MINUTES);
      await alone.publish(userErased, widowed.friend.userId, {}, 9);
      await alone.handled();
      await alone.clock.advance(60_000);
    },
    stop: alone.stop,
  };
});
