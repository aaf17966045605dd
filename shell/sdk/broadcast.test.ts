import { expect, test } from 'vitest';
import { createBroadcast, type TabMessage } from './broadcast';

const raw = new BroadcastChannel('cord');

test('messages in the format of another version are ignored', async () => {
  const received: TabMessage[] = [];
  const stop = createBroadcast().listen((message) => received.push(message));
  raw.postMessage({ kind: 'signed-out' });
  raw.postMessage({ v: 0, message: { kind: 'signed-out', userId: 'u' } });
  raw.postMessage(null);
  createBroadcast().send({ kind: 'leaving', userId: 'u' });
  await expect.poll(() => received).toEqual([{ kind: 'leaving', userId: 'u' }]);
  stop();
});
