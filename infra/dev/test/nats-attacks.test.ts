import { SERVICES } from '@cord/contracts/endpoint';
import { RIGHTS_USER } from '@cord/contracts/events/permissions';
import { consumedBy, readWholeBy, STREAMS } from '@cord/contracts/events/streams';
import { RIGHTS_CHANGED, rightsRpc } from '@cord/contracts/rpc/rights';
import { createLogger } from '@cord/kit/log';
import { connectNats, type Nats } from '@cord/kit/nats';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { ensureTopology } from '@cord/kit/topology';
import { headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SETUP_USER } from '../starter/streams.ts';
import { requestsFor, TARGETS, VICTIM } from './nats-targets.js';
import { startOwnNats } from './own-nats.js';

/*
 * An attacker with one service's password attacks the server and configuration of a running system. NATS does not check
 * a request's reply subject against publish permissions, and JetStream sends its responses there. So each allowed
 * request is sent with every forbidden subject as the reply. The responses arrive in the services' account, where no
 * stream listens.
 */

const log = createLogger('attacks', 'silent');
const nats = forAllTests(startOwnNats);
/** Messages published by their owners: text and subject. */
const seeded = new Set<string>();
const connections = new Map<string, Nats>();
const as = (user: string): Nats => connections.get(user) as Nats;

beforeAll(async () => {
  for (const user of [SETUP_USER, RIGHTS_USER, ...SERVICES])
    connections.set(user, await connectNats({ NATS_URL: nats.urlFor(user) }, user, log));
  await ensureTopology(as(SETUP_USER));
  // Fills every stream with readable messages, with the headers and payloads of their owners.
  for (const { owner, subjects } of STREAMS) {
    for (const pattern of subjects) {
      const subject = pattern.replace('>', `${owner === 'all' ? 'tasks' : 'changed'}.${VICTIM}`);
      const data = JSON.stringify({ of: owner });
      seeded.add(data + subject);
      await as(SETUP_USER).js.publish(subject, data, { msgID: subject });
    }
  }
});
afterAll(() => Promise.all([...connections.values()].map((connection) => connection.drain())));

interface Received {
  subject: string;
  data: string;
  copied: boolean;
}

/** Returns everything received on any subject of the services and of auth's account while `run` runs. */
async function receivedDuring(run: () => Promise<void>): Promise<Received[]> {
  const received: Received[] = [];
  const subscriptions = TARGETS.map((target) =>
    as(SETUP_USER).nc.subscribe(target, {
      callback: (_err, msg) =>
        // The subject that a consumer sees: the message's own.
        void received.push({
          subject: msg.subject,
          data: msg.string(),
          copied: msg.headers?.has('Nats-Stream') ?? false,
        }),
    }),
  );
  await as(SETUP_USER).nc.flush();
  await run();
  for (const nats of connections.values()) await nats.nc.flush();
  // JetStream responds to earlier requests before this one.
  await as(SETUP_USER).jsm.getAccountInfo();
  await as(SETUP_USER).nc.flush();
  for (const subscription of subscriptions) subscription.unsubscribe();
  return received;
}

/** API responses, publish acknowledgements, and empty status messages of JetStream. */
const JETSTREAM_TEXTS = /^\{"type":"io\.nats\.jetstream\.api\.|^\{"stream":|^$/;

/** Whether its owner never published a message there: neither a JetStream text, nor an event of its owner. */
const isForged = ({ subject, data, copied }: Received): boolean =>
  TARGETS.includes(subject) && !copied && !seeded.has(data + subject) && !JETSTREAM_TEXTS.test(data);

describe.each(SERVICES)('an attacker with the password of %s', (service) => {
  test('cannot direct a JetStream response to a trusted subject', async () => {
    const received = await receivedDuring(async () => {
      for (const { subject, body } of requestsFor(service))
        for (const reply of TARGETS) as(service).nc.publish(subject, body, { reply });
    });
    expect(received.filter(isForged)).toEqual([]);
  });

  test('cannot make its own consumer deliver to a trusted subject', async () => {
    const mine = `${service}-0-0`;
    const received = await receivedDuring(async () => {
      for (const stream of readWholeBy(service)) {
        for (const target of TARGETS) {
          const config = { name: mine, deliver_subject: target, ack_policy: 'none', deliver_policy: 'all' };
          const body = JSON.stringify({ stream_name: stream, config });
          const subject = `$JS.API.CONSUMER.CREATE.${stream}.${mine}`;
          await as(service).nc.request(subject, body, { timeout: 2_000 });
          await as(service)
            .jsm.consumers.delete(stream, mine)
            .catch(() => false);
        }
      }
    });
    expect(received.filter(isForged)).toEqual([]);
  });

  test('cannot create, change or delete another service’s durable consumer', async () => {
    const before = await durables();
    for (const { stream, durable } of before) {
      const other = {
        durable_name: durable,
        name: durable,
        ack_policy: 'explicit',
        ack_wait: 1,
        deliver_policy: 'new',
      };
      for (const name of [durable, `${service}-0-0`]) {
        for (const subject of [`CREATE.${stream}.${name}`, `CREATE.${stream}`, `DURABLE.CREATE.${stream}.${name}`]) {
          const body = JSON.stringify({ stream_name: stream, config: other });
          as(service).nc.publish(`$JS.API.CONSUMER.${subject}`, body, { reply: `_INBOX_${service}.x` });
        }
      }
      as(service).nc.publish(`$JS.API.CONSUMER.DELETE.${stream}.${durable}`, '', { reply: `_INBOX_${service}.x` });
    }
    await as(service).nc.flush();
    expect(await durables()).toEqual(before);
  });

  test('cannot create, change, delete, purge or snapshot a stream, or delete messages outside its own', async () => {
    const before = await streams();
    const own = new Set(STREAMS.filter(({ owner }) => owner === service).map(({ name }) => name));
    if (service === 'auth') own.add('CORD_DEAD');
    const acts = ['UPDATE', 'DELETE', 'PURGE', 'MSG.DELETE', 'SNAPSHOT', 'CREATE', 'RESTORE'];
    for (const name of [...before.map((stream) => stream.name), 'MINE']) {
      for (const act of acts.filter((each) => each !== 'MSG.DELETE' || !own.has(name))) {
        const body = JSON.stringify({ name, subjects: [RIGHTS_CHANGED], seq: 1, max_msgs_per_subject: 1 });
        as(service).nc.publish(`$JS.API.STREAM.${act}.${name}`, body, { reply: `_INBOX_${service}.x` });
      }
    }
    await as(service).nc.flush();
    expect(await streams()).toEqual(before);
  });

  test('cannot receive another’s inbox, requests or private subjects', async () => {
    const foreign = [
      '>',
      'cord.>',
      '_INBOX.>',
      '_INBOX_*.>',
      ...[...SERVICES, RIGHTS_USER, SETUP_USER]
        .filter((other) => other !== service)
        .map((other) => `_INBOX_${other}.>`),
      rightsRpc.subject,
      '$JS.API.>',
      '$JS.ACK.>',
      '$SYS.>',
      ...(service === 'mining'
        ? []
        : ['cord.rpc.v1.ledger.credit.*', 'cord.rpc.v1.ledger.credit.*.p7', 'cord.replica.v1.mining']),
    ];
    for (const subject of foreign) {
      await expect(firstOn(as(service), subject), subject).rejects.toThrow(/permission/i);
    }
  });
});

test('after all attacks the streams hold exactly what their owners published', async () => {
  const found: string[] = [];
  for (const { name } of STREAMS) {
    const { state } = await as(SETUP_USER).jsm.streams.info(name);
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const stored = await as(SETUP_USER).jsm.streams.getMessage(name, { seq });
      if (stored) found.push(stored.string() + stored.subject);
    }
  }
  expect(found.sort()).toEqual([...seeded].sort());
});

describe('the permissions', () => {
  test('let a reader of a stream create and delete consumers with its own two names', async () => {
    for (const service of SERVICES) {
      for (const stream of readWholeBy(service)) {
        const reading = as(service).orderedConsume({ stream, handlers: [] });
        await reading.caughtUp;
        await reading.stop();
      }
    }
    expect(await consumerNames()).toEqual((await durables()).map(({ stream, durable }) => `${stream} ${durable}`));
  });

  test('let auth publish and respond through its own account', async () => {
    const serving = as(RIGHTS_USER).serve(rightsRpc, async () => ({ entries: [], next: null }));
    await as(RIGHTS_USER).nc.flush();
    for (const service of SERVICES) {
      const received = firstOn(as(service), RIGHTS_CHANGED);
      await as(service).nc.flush();
      as(RIGHTS_USER).nc.publish(RIGHTS_CHANGED, 'changed');
      expect(await received).toBe('changed');
      const page = await as(service).request(rightsRpc, { after: null });
      expect(page).toEqual({ entries: [], next: null });
    }
    await serving.stop();
  });
});

describe('a consumer', () => {
  test('drops a message that JetStream copied onto the subject of an event', async () => {
    const hdrs = headers();
    hdrs.set('Nats-Stream', 'CORD_TASKS');
    const subject = `cord.user.v1.erased.${'c'.repeat(32)}`;
    const event = { v: 1, id: 'copied', at: 1, userId: 'c'.repeat(32), seq: '1' };
    const { userErased } = await import('@cord/contracts/events/user');
    const { on } = await import('@cord/kit/nats/consume');
    await as(SETUP_USER).js.publish(subject, JSON.stringify(event), { headers: hdrs });
    const real = { ...event, id: 'real', userId: 'd'.repeat(32) };
    await as(SETUP_USER).js.publish(`cord.user.v1.erased.${real.userId}`, JSON.stringify(real));
    const erased: string[] = [];
    const handlers = [on(userErased, async ({ userId }) => void erased.push(userId))];
    const shared = as('rewards').consume({ stream: 'CORD_USERS', handlers });
    await expect.poll(() => erased).toEqual([real.userId]);
    await shared.stop();
    const alone = as('leaderboard').orderedConsume({ stream: 'CORD_USERS', handlers });
    await alone.caughtUp;
    await alone.stop();
    expect(erased).toEqual([real.userId, real.userId]);
  });
});

async function streams() {
  const found: Array<{ name: string; config: string; messages: number }> = [];
  for await (const { config, state } of as(SETUP_USER).jsm.streams.list())
    found.push({ name: config.name, config: JSON.stringify(config), messages: state.messages });
  return found;
}

async function consumerNames(): Promise<string[]> {
  const found: string[] = [];
  for (const { name: stream } of STREAMS)
    for await (const { name } of as(SETUP_USER).jsm.consumers.list(stream)) found.push(`${stream} ${name}`);
  return found.sort();
}

async function durables() {
  const found: Array<{ stream: string; durable: string; config: string }> = [];
  for (const service of SERVICES) {
    for (const stream of consumedBy(service)) {
      const { config } = await as(SETUP_USER).jsm.consumers.info(stream, service);
      found.push({ stream, durable: service, config: JSON.stringify(config) });
    }
  }
  return found.sort((a, b) => (`${a.stream} ${a.durable}` < `${b.stream} ${b.durable}` ? -1 : 1));
}

/** Returns the first message on a subject. @throws the server's refusal */
async function firstOn(nats: Nats, subject: string): Promise<string | undefined> {
  const subscription = nats.nc.subscribe(subject, { max: 1 });
  for await (const message of subscription) return message.string();
  return undefined;
}
