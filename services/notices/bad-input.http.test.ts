import type { Endpoint } from '@cord/contracts/endpoint';
import { startForAdmin, testBadInput } from '@cord/kit/testing/bad-input-suite';
import { service } from './service.js';

/** A good call of each route. */
function goodCall({ id }: Endpoint, userId: string) {
  const bodies: Record<string, Record<string, unknown>> = {
    'notices.read': { upTo: '2026-11-18T12:00:00Z' },
    'push.subscribe': {
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') },
    },
    'push.remove': { id: 'a'.repeat(32) },
    'push.test': { id: 'a'.repeat(32) },
  };
  return { params: { id: userId }, body: bodies[id] ?? {} };
}

testBadInput('notices', () => startForAdmin(service, goodCall));
