import { subjectOf } from '@cord/contracts/events/envelope';
import { supportAnswered } from '@cord/contracts/events/support';
import { supportEndpoints } from '@cord/contracts/http/support';
import { userEndpoints } from '@cord/contracts/http/users';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it } from 'vitest';
import { eventually, startAuth } from '../test/auth.js';

const auth = forAllTests(() => startAuth());

it('the one answer to a request is published without its text, and the event goes when the author is erased', async () => {
  const [nova, boss] = [await auth.signUp('nova'), await auth.signUp('boss')];
  await auth.makeAdmin(boss);
  const body = { kind: 'support', subject: 'A question', text: 'How does the streak work?' };
  const { body: request } = await call(auth.url, supportEndpoints.file, { token: nova.token, body });
  const subject = subjectOf(supportAnswered, nova.id, request.id);
  const published = async () =>
    (await auth.backend.nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject }))?.json();
  expect(await published()).toBeUndefined();
  const answering = { token: boss.token, params: { id: request.id } };
  const answer = (text: string) => call(auth.url, supportEndpoints.answer, { ...answering, body: { answer: text } });
  await eventually(async () => (await answer('Like this.')).status === 200);
  const first = {
    v: 1,
    id: expect.any(String),
    at: expect.any(Number),
    userId: nova.id,
    seq: '1',
    requestId: request.id,
    kind: 'support',
    answeredAt: expect.any(Number),
  };
  await expect.poll(published).toEqual(first);
  // The same once more, as after an answer that was lost, is no other one.
  expect((await answer('Like this.')).status).toBe(200);
  expect((await answer('And like that.')).status).toBe(409);
  expect(await published()).toEqual(first);
  const own = { token: nova.token, params: { id: nova.id } };
  expect((await call(auth.url, userEndpoints.remove, { ...own, body: { confirm: 'nova' } })).status).toBe(204);
  await expect.poll(published).toBeUndefined();
});
