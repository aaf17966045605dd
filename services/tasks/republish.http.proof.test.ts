import { userErased } from '@cord/contracts/events/user';
import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { call } from '@cord/kit/testing/index';
import { testRepublishing } from '@cord/kit/testing/republish';
import { HOUR, openTaskCenter } from './test/people.js';

testRepublishing('tasks', async () => {
  const tasks = await openTaskCenter();
  const { backend, url, clock, newcomer } = tasks;
  const checkIn = ({ userId, token }: { userId: string; token: string }) =>
    call(url, checkinEndpoints.perform, { body: { userId }, token });
  const make = async () => {
    const user = await newcomer();
    await user.complete('early-adopter');
    await checkIn(user);
    return user;
  };
  return {
    backend,
    streams: { CORD_TASKS: 'each subject' },
    make,
    async finish() {
      const [often, gone] = [await make(), await make()];
      await tasks.publish(userErased, gone.userId, {}, 9);
      await clock.advance(24 * HOUR);
      await checkIn(often);
    },
    stop: tasks.stop,
  };
});
