import { writeFile } from 'node:fs/promises';
import { SERVICES } from '@cord/contracts/endpoint';
import { subjectOf } from '@cord/contracts/events/envelope';
import { EVENTS } from '@cord/contracts/events/index';
import { GATEWAY_USER } from '@cord/contracts/events/permissions';
import { streamOf } from '@cord/contracts/events/streams';
import { LIVE_KINDS } from '@cord/contracts/live/kinds';
import { liveSubject } from '@cord/contracts/live/subjects';
import { CREDITING_SERVICES, MANIFESTS } from '@cord/contracts/manifests/index';
import { RIGHTS_CHANGED } from '@cord/contracts/rpc/rights';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAsSetup, SETUP_USER } from '../starter/streams.ts';
import { startOwnNats } from './own-nats.js';

const USER = 'a'.repeat(32);
const nats = forAllTests(startOwnNats);
const connections = new Map<string, NatsConnection>();

beforeAll(async () => {
  for (const user of [SETUP_USER, GATEWAY_USER, ...SERVICES]) connections.set(user, await connectAs(user));
});
afterAll(() => Promise.all([...connections.values()].map((connection) => connection.close())));

function connectAs(user: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(nats.urlFor(user));
  return connect({ servers: host, user: username, pass: password, inboxPrefix: `_INBOX_${user}`, reconnect: false });
}

/** Returns what a subscriber with all permissions receives while `publish` runs. */
async function receivedOn(subject: string, publish: () => Promise<void>): Promise<string[]> {
  const listener = connections.get(SETUP_USER)!;
  const received: string[] = [];
  const subscription = listener.subscribe(subject, {
    callback: (_error, message) => void received.push(message.string()),
  });
  await listener.flush();
  await publish();
  for (const connection of connections.values()) await connection.flush();
  await listener.flush();
  subscription.unsubscribe();
  return received;
}

test('without a running system, an operator connects by NATS_URL or NATS_URL_FILE', async () => {
  const elsewhere = `${nats.folder}/of-none`;
  const file = `${nats.folder}/setup-url`;
  await writeFile(file, `${nats.urlFor(SETUP_USER)}\n`);
  const connection = await connectAsSetup(elsewhere, { NATS_URL_FILE: file });
  expect(connection.nc.info?.version).toBeDefined();
  await connection.drain();
  await expect(connectAsSetup(elsewhere, {})).rejects.toThrow('or its NATS with NATS_URL');
  const both = { NATS_URL: nats.urlFor(SETUP_USER), NATS_URL_FILE: file };
  await expect(connectAsSetup(elsewhere, both)).rejects.toThrow('NATS_URL_FILE and NATS_URL are both set');
});

test('no client connects without a name and a password', async () => {
  const { host } = new URL(nats.url);
  await expect(connect({ servers: host, reconnect: false })).rejects.toThrow();
  await expect(connect({ servers: host, user: 'mining', pass: 'guess', reconnect: false })).rejects.toThrow();
});

describe('the subjects of credits', () => {
  const callers = [...CREDITING_SERVICES];

  test('accept credits only from the service that they name', async () => {
    const received = await receivedOn('cord.rpc.v1.ledger.credit.>', async () => {
      for (const service of SERVICES) {
        for (const caller of [...callers, 'stranger']) {
          for (const part of ['', '.p7', '.fallback']) {
            const payload = `${service} as ${caller}${part}`;
            connections.get(service)!.publish(`cord.rpc.v1.ledger.credit.${caller}${part}`, payload);
          }
        }
      }
    });
    expect(callers.length).toBeGreaterThan(1);
    expect(received.sort()).toEqual(
      callers.flatMap((caller) => ['', '.p7', '.fallback'].map((part) => `${caller} as ${caller}${part}`)).sort(),
    );
  });
});

describe('the subjects of events', () => {
  test('accept each event only from its owner, and changed rights from no service', async () => {
    const owned = EVENTS.map((event) => ({
      owner: streamOf(event.thing).owner,
      subject: subjectOf(event, USER, 'ofTwo' in event ? USER : undefined),
    }));
    const received = await receivedOn('cord.>', async () => {
      for (const service of SERVICES)
        for (const subject of [...owned.map(({ subject }) => subject), RIGHTS_CHANGED])
          connections.get(service)!.publish(subject, `${service} ${subject}`);
    });
    expect(received.sort()).toEqual(owned.map(({ owner, subject }) => `${owner} ${subject}`).sort());
  });
});

describe('live messages', () => {
  test('come only from their sender, and reach only notices', async () => {
    const live = await receivedOn('cord.live.>', async () => {
      for (const user of [...SERVICES, GATEWAY_USER])
        for (const kind of LIVE_KINDS) connections.get(user)!.publish(liveSubject(kind, 'someone'), `${user} ${kind}`);
    });
    const due = SERVICES.flatMap((service) => MANIFESTS[service].liveKinds.map((kind) => `${service} ${kind}`));
    expect(live.sort()).toEqual([...due, `${GATEWAY_USER} release`].sort());
    for (const user of [...SERVICES.filter((name) => name !== 'notices'), GATEWAY_USER]) {
      const eavesdropper = await connectAs(user);
      const subscription = eavesdropper.subscribe('cord.live.v1.*.someone');
      await expect(once1(subscription)).rejects.toThrow(/permission/i);
      await eavesdropper.close();
    }
  });
});

describe('inboxes', () => {
  test('accept no message from another service without a request', async () => {
    const received = await receivedOn('_INBOX_auth.>', async () => {
      for (const service of SERVICES) connections.get(service)!.publish('_INBOX_auth.forged', service);
    });
    expect(received).toEqual([]);
  });
});

/** Returns the first message, or the error that ended the subscription. */
async function once1(subscription: AsyncIterable<unknown>): Promise<unknown> {
  for await (const message of subscription) return message;
  return undefined;
}
