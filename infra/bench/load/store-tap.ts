import { connect, createServer, type Socket } from 'node:net';
import mongoose from 'mongoose';
import { freePorts } from '../../dev/starter/ports.ts';
import type { KindsWindow } from './figures.ts';

/*
 * Stands between everybody and the document store, passes every byte on, and counts the commands that write: so that what
 * all services of a system write is known without a change to any of them.
 */

const HEADER_BYTES = 16;
const OP_MSG = 2013;
const FLAG_BYTES = 4;
const WRITES = ['insert', 'update', 'delete', 'findAndModify'];

/** A command that writes. */
interface Write {
  /** `cord_mining.accounts update` */
  kind: string;
  bytes: number;
}

/** What has been written so far: by command and collection, and in all. */
export class Written {
  /** `cord_mining.accounts update` -> commands */
  readonly byKind = new Map<string, number>();
  commands = 0;
  bytes = 0;

  add({ kind, bytes }: Write): void {
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + 1);
    this.commands += 1;
    this.bytes += bytes;
  }

  /** As it is now, to be set against later. */
  copy(): Omit<KindsWindow, 'ms'> {
    return { byKind: new Map(this.byKind), commands: this.commands, bytes: this.bytes };
  }
}

/**
 * The write in one whole message of MongoDB's wire protocol: what it is and how long the message is.
 * @returns null for everything else, and for a write that waits for no majority
 */
export function majorityWriteIn(message: Buffer): Write | null {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  const sections = message.subarray(HEADER_BYTES + FLAG_BYTES);
  const command = bodyOf(sections);
  const [name = ''] = Object.keys(command ?? {});
  if (!command || !WRITES.includes(name) || command.writeConcern?.w !== 'majority') return null;
  return { kind: `${command.$db}.${command[name]} ${name}`, bytes: message.length };
}

/** The command itself is the section of kind 0, before or after the sequences of documents (kind 1). */
function bodyOf(sections: Buffer): mongoose.mongo.BSON.Document | null {
  for (let at = 0; at + 5 <= sections.length; at += 1 + sections.readInt32LE(at + 1)) {
    if (sections[at] !== 0) continue;
    const end = at + 1 + sections.readInt32LE(at + 1);
    return mongoose.mongo.BSON.deserialize(sections.subarray(at + 1, end));
  }
  return null;
}

/**
 * Opens the tap before a store.
 * @param uri of the store, on one host
 * @returns the address to use instead
 */
export async function openTap(uri: string): Promise<{ uri: string; written: Written; close(): void }> {
  const address = new URL(uri);
  const target = { host: address.hostname, port: Number(address.port || 27_017) };
  const [port] = await freePorts(1);
  const written = new Written();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const store = connect(target);
    const each = messages((message) => {
      const write = majorityWriteIn(message);
      if (write) written.add(write);
    });
    client.on('data', each);
    client.pipe(store).pipe(client);
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => {
        client.destroy();
        store.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  Object.assign(address, { hostname: '127.0.0.1', port: String(port) });
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { uri: address.href, written, close };
}

/** Cuts what comes into whole messages. */
function messages(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}
