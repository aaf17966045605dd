import type { Http } from '@cord/kit/http';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { data } from '../data.js';
import { createFactStore } from '../store/facts.js';
import { createSupportStore } from '../store/support.js';
import { serveSupport } from './support.js';

const backend = forAllTests(() => startTestStore({ data }));

test('a request filed while its author buys the badge gets priority, in either order of the writes', async () => {
  const [facts, support] = [createFactStore(backend.store), createSupportStore(backend.store)];
  const userId = randomId();
  await facts.open(userId);
  /** As services/auth/events.ts takes a purchase over. */
  const buy = async () => {
    await facts.keep(userId, 'badge', 1n, { badge: true });
    await support.prioritise(userId);
  };
  const routes = new Map<string, (call: object) => Promise<unknown>>();
  serveSupport({ route: ({ id }: { id: string }, handle: never) => void routes.set(id, handle) } as unknown as Http, {
    support,
    users: { byId: async () => ({}) as never },
    antiCheat: {} as never,
    facts: {
      ...facts,
      async of(id) {
        const before = await facts.of(id);
        await buy();
        return before;
      },
    },
  });
  const body = { kind: 'support', subject: 'Badge', text: 'Please look.' };
  await routes.get('support.file')?.({ user: { id: userId }, body, now: 1 });
  expect(await support.ofUser(userId)).toMatchObject([{ subject: 'Badge', priority: true }]);
});
