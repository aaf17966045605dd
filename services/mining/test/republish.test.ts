import { userErased } from '@cord/contracts/events/user';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { dayKey } from '@cord/contracts/rules/days';
import { testRepublishing } from '@cord/kit/testing/republish';
import { MINUTE_MS, startFixture } from './fixture.js';

testRepublishing('mining', async () => {
  const mining = await startFixture();
  const make = async () => {
    const user = await mining.newUser(2);
    await user.start();
    return user;
  };
  return {
    backend: mining.backend,
    streams: {
      CORD_BALANCE: 'each subject',
      // The verb that came last describes the node; who ran it again after a stop has a start that is newer than the stop.
      CORD_NODES: (subject, payload) => {
        const [, thing, , verb, userId] = subject.split('.');
        return [`${thing} of ${userId}`, { verb, ...payload }];
      },
    },
    make,
    async finish() {
      const [stopped, again, idle, gone] = [await make(), await make(), await mining.newUser(), await make()];
      await mining.clock.advance(MINUTE_MS);
      await stopped.call(miningEndpoints.stopB);
      await again.call(miningEndpoints.stopB);
      await again.start();
      await mining.credit(idle.id, 'checkin', `checkin:${idle.id}:${dayKey(mining.clock.now())}`, 5_000_000n);
      await mining.publish(userErased, gone.id, 9, {});
      await mining.clock.advance(MINUTE_MS);
    },
    stop: mining.stop,
  };
});
