import { advance } from '../../bench/system/clock.mjs';
import { call, signIn, signInAgain } from '../../bench/system/people.mjs';

const HOUR = '60m';

/** Who referred whom; each came with the code, so all that they earned counts. */
export const FRIENDS = {
  ada: ['ben', 'cleo', 'dan', 'mia'],
  fay: ['gus'],
  hal: ['ivy', 'jon'],
};
/** Their nodes run when the release is ended. */
export const STILL_MINING = ['dan', 'kim'];
/** Whose account is erased before the release is ended. */
export const ERASED = 'mia';

const ask = (person, method, path, body) => call(person, method, path, body);

export const startNode = (person) => ask(person, 'POST', '/mining/start', {});
export const stopNode = (person) => ask(person, 'POST', '/mining/stop', {});
export const checkIn = (person) => ask(person, 'POST', '/daily-checkin/perform', { userId: person.id });

export const visitTask = (person, taskId) => ask(person, 'POST', `/users/${person.id}/tasks/${taskId}/visit`, {});
/** Of a social task: five seconds after its visit. */
export const claimTask = (person, taskId) => ask(person, 'POST', `/tasks/${taskId}/complete`, {});

/**
 * Some days of a few people: referrers with friends who mined, checked in and did tasks, a claim, an erased friend.
 * @returns {Promise<Record<string, import('../../bench/system/people.mjs').Person>>} by name
 */
export async function liveSomeDays(origin) {
  const people = {};
  const arrive = async (name, years, referrer) => {
    const stats = referrer && (await ask(referrer, 'GET', `/referrals/${referrer.id}/stats`));
    people[name] = await signIn(origin, { years, username: name, referralCode: stats?.referralCode });
  };
  for (const name of ['ada', 'fay', 'hal', 'kim']) await arrive(name, 2.5);
  await advance(origin, '2s');
  for (const [referrer, friends] of Object.entries(FRIENDS)) {
    for (const [n, friend] of friends.entries()) await arrive(friend, 0.4 + 1.3 * n, people[referrer]);
  }
  const everyone = Object.values(people);
  for (let day = 0; day < 2; day += 1) {
    for (const person of everyone) {
      await startNode(person);
      await checkIn(person);
    }
    for (let hour = 0; hour < 2; hour += 1) await advance(origin, HOUR);
    for (const person of everyone) await stopNode(person);
    await advance(origin, '22h');
  }
  const eager = ['ada', 'ben', 'gus', 'ivy'].map((name) => people[name]);
  for (const person of eager) for (const task of ['follow-x', 'join-discord']) await visitTask(person, task);
  await advance(origin, '10s');
  for (const person of eager) await claimTask(person, 'follow-x');
  await ask(people.ada, 'POST', '/compensation/claim', { userId: people.ada.id });
  Object.assign(people[ERASED], await signInAgain(origin, people[ERASED].accountId));
  await ask(people[ERASED], 'DELETE', `/users/${people[ERASED].id}`, { confirm: ERASED });
  await advance(origin, HOUR);
  for (const name of STILL_MINING) await startNode(people[name]);
  await advance(origin, HOUR);
  return people;
}
