import { createTestClock, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test, vi } from 'vitest';
import { createCatalogue } from './catalogue.js';
import { data } from './data.js';

const backend = forAllTests(() => startTestStore({ data }));

test('a change that stalls after its audit line does not revert a later change of the same field', async () => {
  let meanwhile = async (): Promise<unknown> => undefined;
  const audit = { write: () => meanwhile() };
  const catalogue = createCatalogue(backend.store, createTestClock(), audit as never);
  await catalogue.seed();
  const [id, act] = ['early-adopter', { adminId: 'a' }];
  const change = (changes: object) => catalogue.update(id, changes, act);
  const stalled = (changes: object, other: object) => {
    meanwhile = () => {
      meanwhile = async () => undefined;
      return change(other);
    };
    return change(changes);
  };
  await expect(stalled({ rewardMicro: 5n }, { rewardMicro: 7n })).rejects.toMatchObject({ status: 409 });
  expect(await catalogue.get(id)).toMatchObject({ rewardMicro: 7n });
  // A change of another field does not conflict.
  await stalled({ title: 'Early' }, { rewardMicro: 8n });
  expect(await catalogue.get(id)).toMatchObject({ title: 'Early', rewardMicro: 8n });
  meanwhile = () => {
    meanwhile = async () => undefined;
    return catalogue.remove(id, act);
  };
  await expect(change({ title: 'Late' })).rejects.toMatchObject({ status: 404 });
});

test('a change is visible at once in its replica and within two seconds in another, which reads once for all', async () => {
  const audit = { write: async () => undefined } as never;
  const [one, other] = [0, 1].map(() => createCatalogue(backend.store, createTestClock(), audit));
  await one?.seed();
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const titles = async (of = one) => (await of?.all())?.map(({ title }) => title);
  const [first, second] = await Promise.all([other?.all(), other?.all()]);
  expect(second).toBe(first);
  await titles();
  await one?.update('join-telegram', { title: 'Telegram, new' }, { adminId: 'a' });
  expect(await titles()).toContain('Telegram, new');
  vi.spyOn(performance, 'now').mockReturnValue(1_999);
  expect(await titles(other)).not.toContain('Telegram, new');
  vi.spyOn(performance, 'now').mockReturnValue(2_000);
  expect(await titles(other)).toContain('Telegram, new');
  vi.restoreAllMocks();
});

test('a new task is the last one, also after another was removed', async () => {
  const audit = { write: async () => undefined } as never;
  const catalogue = createCatalogue(backend.store, createTestClock(), audit);
  await catalogue.seed();
  const act = { adminId: 'a' };
  await catalogue.remove('follow-x', act);
  const task = { title: 'A', description: '', rewardMicro: 1n, maxProgress: 1, measure: null, socialUrl: null };
  await catalogue.create({ ...task, id: 'a-new', type: 'social', expiresAtMs: null, extra: {} }, act);
  expect((await catalogue.fresh()).at(-1)?.id).toBe('a-new');
});
