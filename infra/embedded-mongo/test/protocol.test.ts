import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { decode } from '../bson/decode.js';
import { encode } from '../bson/encode.js';
import { type Doc, int, type Value } from '../bson/values.js';
import { crc32c } from '../wire/crc32c.js';
import { useServer } from './harness.js';

/* Bytes on a socket, without a driver between: what any client may send, and what none should. */
const server = useServer();

function message(opCode: number, body: Buffer, requestId = 7): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + body.length, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, body]);
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const doc = (entries: [string, Value][]): Buffer => encode(new Map(entries));
const command = (entries: [string, Value][], flags = 0, ...sections: Buffer[]): Buffer =>
  message(2013, Buffer.concat([u32(flags), Buffer.from([0]), doc([...entries, ['$db', 'protocol']]), ...sections]));
const PING = command([['ping', int(1)]]);

/** Sends bytes and collects what comes back until the other side closes, or `replies` messages are there. */
function exchange(bytes: Buffer | Buffer[], replies: number): Promise<{ messages: Buffer[]; closed: boolean }> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    const messages: Buffer[] = [];
    const socket = connectTo();
    const done = (closed: boolean): void => {
      socket.destroy();
      resolve({ messages, closed });
    };
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done(true) : reject(error),
    );
    socket.on('close', () => done(true));
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
        messages.push(held.subarray(0, held.readInt32LE(0)));
        held = held.subarray(held.readInt32LE(0));
      }
      if (messages.length >= replies) done(false);
    });
    for (const part of [bytes].flat()) socket.write(part);
  });
}

function connectTo(): Socket {
  return connect(Number(new URL(server.uri).port), '127.0.0.1');
}

const bodyOf = (reply: Buffer | undefined): Doc => decode((reply as Buffer).subarray(21));
const okOf = (reply: Buffer | undefined): unknown => (bodyOf(reply).get('ok') as { value: number }).value;

describe('messages', () => {
  it('in OP_MSG get an OP_MSG reply with their request id', async () => {
    const { messages } = await exchange(PING, 1);
    expect(messages[0]?.readInt32LE(8)).toBe(7);
    expect(messages[0]?.readInt32LE(12)).toBe(2013);
    expect(okOf(messages[0])).toBe(1);
  });

  it('in OP_QUERY get a reply for the handshake', async () => {
    const query = Buffer.concat([
      u32(0),
      Buffer.from('admin.$cmd\0'),
      u32(0),
      u32(0xffffffff),
      doc([
        ['ismaster', int(1)],
        ['helloOk', true],
      ]),
    ]);
    const { messages } = await exchange(message(2004, query), 1);
    const reply = messages[0] as Buffer;
    expect([reply.readInt32LE(12), reply.readInt32LE(16), reply.readInt32LE(32)]).toEqual([1, 8, 1]);
    const answer = decode(reply.subarray(36));
    expect([answer.get('ismaster'), answer.get('helloOk'), answer.has('setName')]).toEqual([true, true, false]);
  });

  it('with hello get the time of the system clock', async () => {
    const beforeMs = Date.now();
    const { messages } = await exchange(command([['hello', int(1)]]), 1);
    const localMs = (bodyOf(messages[0]).get('localTime') as Date).getTime();
    expect(localMs).toBeGreaterThanOrEqual(beforeMs);
    expect(localMs).toBeLessThanOrEqual(Date.now());
  });

  it('may arrive in any pieces, or several in one', async () => {
    const three = Buffer.concat([PING, PING, PING]);
    expect((await exchange(three, 3)).messages).toHaveLength(3);
    const bytes = Array.from(PING, (_, at) => PING.subarray(at, at + 1));
    expect((await exchange(bytes, 1)).messages).toHaveLength(1);
  });

  it('may have documents in a section beside the body', async () => {
    const documents = Buffer.concat([doc([['_id', int(1)]]), doc([['_id', int(2)]])]);
    const name = Buffer.from('documents\0');
    const section = Buffer.concat([Buffer.from([1]), u32(4 + name.length + documents.length), name, documents]);
    const { messages } = await exchange(
      [command([['insert', 'beside']], 0, section), command([['count', 'beside']])],
      2,
    );
    expect(messages.map((one) => (bodyOf(one).get('n') as { value: number }).value)).toEqual([2, 2]);
  });

  it('without a reply are done before the next is answered', async () => {
    const insert = command(
      [
        ['insert', 'quiet'],
        ['documents', [new Map([['_id', int(1)]])]],
      ],
      2,
    );
    const { messages } = await exchange([insert, command([['count', 'quiet']])], 1);
    expect(messages).toHaveLength(1);
    expect((bodyOf(messages[0]).get('n') as { value: number }).value).toBe(1);
  });

  it('with a valid checksum are accepted', async () => {
    const plain = command([['ping', int(1)]], 1, Buffer.alloc(4));
    plain.writeUInt32LE(crc32c(plain.subarray(0, -4)), plain.length - 4);
    expect(okOf((await exchange(plain, 1)).messages[0])).toBe(1);
  });

  it('with invalid BSON get an error, and the connection stays open', async () => {
    const broken = command([['ping', int(1)]]);
    broken[16 + 5 + 4] = 0x77;
    const { messages } = await exchange([broken, PING], 2);
    expect((bodyOf(messages[0]).get('code') as { value: number }).value).toBe(22);
    expect(okOf(messages[1])).toBe(1);
  });
});

describe('invalid bytes close only their own connection', () => {
  const length = (value: number): Buffer => Buffer.concat([u32(value >>> 0), Buffer.alloc(12)]);
  it.each<[string, Buffer]>([
    ['a length below a header', length(4)],
    ['a negative length', length(-1)],
    ['a length over 48 MB', length(48_000_001)],
    ['an unknown opcode', message(2010, doc([]))],
    ['compression, which was never agreed', message(2012, Buffer.alloc(20))],
    ['unknown flags', command([['ping', int(1)]], 4)],
    ['a wrong checksum', command([['ping', int(1)]], 1, u32(0xffffffff))],
    ['no flags', message(2013, Buffer.alloc(2))],
    ['no body', message(2013, u32(0))],
    ['two bodies', command([['ping', int(1)]], 0, Buffer.from([0]), doc([]))],
    ['an unknown section', command([['ping', int(1)]], 0, Buffer.from([9]), doc([]))],
    ['a section longer than its message', command([['ping', int(1)]], 0, Buffer.from([1]), u32(1000))],
    [
      'a legacy query of data',
      message(2004, Buffer.concat([u32(0), Buffer.from('db.things\0'), u32(0), u32(1), doc([])])),
    ],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['noise', Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 7919) % 256))],
  ])('%s', async (_says, bytes) => {
    const other = connectTo();
    const { messages, closed } = await exchange(bytes, 1);
    expect({ messages: messages.length, closed }).toEqual({ messages: 0, closed: true });
    const answered = new Promise((resolve) => other.once('data', resolve));
    other.write(PING);
    await answered;
    other.destroy();
  });
});

describe('connections', () => {
  it('half-closed by the client still get their replies', async () => {
    const socket = connectTo();
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.end(
      Buffer.concat([
        PING,
        command([
          ['insert', 'half'],
          ['documents', [new Map([['_id', int(1)]])]],
        ]),
      ]),
    );
    await closed;
    expect(Buffer.concat(chunks).toString('latin1').split('ok\0').length - 1).toBe(2);
  });

  it('cut in the middle of a message do not disturb later ones', async () => {
    for (let i = 0; i < 50; i++) {
      const socket = connectTo();
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(PING.subarray(0, 1 + (i % (PING.length - 1))));
      socket.destroy();
    }
    expect(okOf((await exchange(PING, 1)).messages[0])).toBe(1);
  });

  it('are served, 500 at once', async () => {
    const results = await Promise.all(Array.from({ length: 500 }, () => exchange(PING, 1)));
    expect(results.filter(({ messages }) => messages.length === 1)).toHaveLength(500);
  });
});
