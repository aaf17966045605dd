import { Agent, request } from 'node:https';
import type { Log } from '@cord/kit/log';
import webPush, { type RequestDetails } from 'web-push';
import type { PushSettings } from '../config.js';
import { PUSH_WAIT_MS_MAX } from '../pace.js';
import { isAllowed, PrivateHost, publicLookup } from './hosts.js';
import type { Keys } from './subscriptions.js';

/** Timeout of a push service, ms. */
const ANSWER_MS = 10_000;
/** Maximum number of connections per push service. */
const SOCKETS_MAX = 64;

/** A push message, encrypted for one browser. */
interface Parcel {
  /** JSON; push services accept about 4,000 bytes. */
  text: string;
  /** How long a push service stores it for an offline device, s. */
  ttlS: number;
  /** A later one of the same topic replaces one that waits; at most 32 characters of base64url. */
  topic: string;
  urgency: 'normal' | 'high';
}

/**
 * `gone`: the subscription has ended. `refused`: permanently refused. `later`: to be retried; `waitMs` from the push
 * service, else 0.
 */
export type Outcome = { is: 'sent' | 'gone' | 'refused' } | { is: 'later'; waitMs: number };

export type Sender = ReturnType<typeof createSender>;

/**
 * Sends by Web Push (RFC 8030), signed (RFC 8292) and encrypted (RFC 8291) by `web-push`. It follows no redirect, reads
 * no response body, and connects only to allowed, public hosts.
 * @param ca the certificate authority of push services, if not in the system store
 */
export function createSender({ keys, subject, hosts, ca }: PushSettings & { ca?: string }, log: Pick<Log, 'warn'>) {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: SOCKETS_MAX,
    lookup: publicLookup(hosts),
    ...(ca ? { ca } : {}),
  });
  const vapidDetails = { subject, publicKey: keys.publicKey, privateKey: keys.privateKey };

  return {
    async send({ endpoint, ...of }: Keys, { text, ttlS, topic, urgency }: Parcel): Promise<Outcome> {
      // The list may have changed since the subscription was accepted.
      if (!isAllowed(endpoint, hosts)) return { is: 'refused' };
      const { host } = new URL(endpoint);
      try {
        const details = webPush.generateRequestDetails({ endpoint, ...of }, text, {
          TTL: ttlS,
          topic,
          urgency,
          vapidDetails,
        });
        const { status, retryAfter } = await post(details, agent);
        const outcome = outcomeOf(status, retryAfter);
        if (outcome.is === 'refused' || outcome.is === 'later')
          log.warn({ host, status }, 'a push service did not accept a push');
        return outcome;
      } catch (err) {
        log.warn({ host, err }, 'a push service could not be reached');
        return err instanceof PrivateHost ? { is: 'refused' } : { is: 'later', waitMs: 0 };
      }
    },
    close: () => agent.destroy(),
  };
}

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  if (status !== 429 && status < 500) return { is: 'refused' };
  const waitMs = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0;
  return { is: 'later', waitMs: Math.min(waitMs, PUSH_WAIT_MS_MAX) };
}

function post({ endpoint, method, headers, body }: RequestDetails, agent: Agent) {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const sent = request(endpoint, { method, headers, agent, signal }, (answer) => {
      // The body is discarded to release the connection.
      answer.on('error', () => undefined).resume();
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] });
    });
    sent.on('error', reject).end(body);
  });
}
