import { decode } from '../bson/decode.js';
import { type EncodableMap, encode } from '../bson/encode.js';
import type { Doc } from '../bson/values.js';
import { crc32c } from './crc32c.js';

export const OP_REPLY = 1;
const OP_QUERY = 2004;
export const OP_MSG = 2013;

export const HEADER_BYTES = 16;
export const MAX_MESSAGE_BYTES = 48_000_000;
/** Maximum message size before a required sign-in: a handshake and its proof take a few hundred bytes. */
export const MAX_STRANGER_BYTES = 1_000_000;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** The lower 16 flag bits must be known to the receiver. */
const REQUIRED_BITS = 0xffff;
const EXHAUST_ALLOWED = 1 << 16;

/** A request from either kind of message. */
export interface Request {
  requestId: number;
  opCode: typeof OP_QUERY | typeof OP_MSG;
  /** The command, with document sequences as arrays, and `$db`. */
  command: Doc;
  wantsReply: boolean;
}

/** A malformed message: its connection is closed. */
export class ProtocolError extends Error {}

/** The length of the first message; undefined before its header is complete. Throws ProtocolError for an invalid length. */
export function messageLength(bytes: Buffer, maxBytes: number): number | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readInt32LE(0);
  if (length < HEADER_BYTES || length > maxBytes) throw new ProtocolError(`invalid message length ${length}`);
  return length;
}

/** Parses one complete message. Throws ProtocolError for a malformed frame, MongoError for malformed BSON. */
export function parseMessage(message: Buffer): Request {
  if (message.length < HEADER_BYTES) throw new ProtocolError('a message without a header');
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_MSG) return parseMsg(message, requestId);
  if (opCode === OP_QUERY) return parseQuery(message, requestId);
  throw new ProtocolError(`opcode ${opCode}`);
}

function parseMsg(message: Buffer, requestId: number): Request {
  if (message.length < HEADER_BYTES + 4) throw new ProtocolError('OP_MSG without flags');
  const flags = message.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME | EXHAUST_ALLOWED)) !== 0) {
    throw new ProtocolError(`unknown OP_MSG flags ${flags}`);
  }
  let end = message.length;
  if ((flags & CHECKSUM_PRESENT) !== 0) {
    end -= 4;
    if (end < HEADER_BYTES + 4 || message.readUInt32LE(end) !== crc32c(message.subarray(0, end)))
      throw new ProtocolError('wrong checksum');
  }
  let body: Doc | undefined;
  const sequences = new Map<string, Doc[]>();
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const kind = message[at++];
    const size = sectionSize(message, at, end);
    if (kind === 0) {
      if (body !== undefined) throw new ProtocolError('OP_MSG with two bodies');
      body = decode(message.subarray(at, at + size));
    } else if (kind === 1) {
      const [name, documents] = parseSequence(message.subarray(at, at + size));
      if (sequences.has(name)) throw new ProtocolError(`OP_MSG with two sequences '${name}'`);
      sequences.set(name, documents);
    } else throw new ProtocolError(`OP_MSG section kind ${kind}`);
    at += size;
  }
  if (body === undefined) throw new ProtocolError('OP_MSG without a body');
  for (const [name, documents] of sequences) body.set(name, documents);
  return { requestId, opCode: OP_MSG, command: body, wantsReply: (flags & MORE_TO_COME) === 0 };
}

/** Both section kinds begin with their length. */
function sectionSize(message: Buffer, at: number, end: number): number {
  if (at + 4 > end) throw new ProtocolError('OP_MSG ends inside a section');
  const size = message.readInt32LE(at);
  if (size < 5 || at + size > end) throw new ProtocolError(`OP_MSG section of ${size} bytes`);
  return size;
}

function parseSequence(section: Buffer): [string, Doc[]] {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('a document sequence without a name');
  const documents: Doc[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = sectionSize(section, at, section.length);
    documents.push(decode(section.subarray(at, at + size)));
    at += size;
  }
  return [section.toString('utf8', 4, nameEnd), documents];
}

/** Parses a legacy query, which is accepted only for a handshake, on `<db>.$cmd`. */
function parseQuery(message: Buffer, requestId: number): Request {
  const nameStart = HEADER_BYTES + 4;
  const nameEnd = message.indexOf(0, nameStart);
  const bodyStart = nameEnd + 9;
  if (nameEnd < 0 || bodyStart + 5 > message.length) throw new ProtocolError('OP_QUERY is truncated');
  const namespace = message.toString('utf8', nameStart, nameEnd);
  if (!namespace.endsWith('.$cmd')) throw new ProtocolError(`OP_QUERY on ${namespace}`);
  const size = sectionSize(message, bodyStart, message.length);
  const command = decode(message.subarray(bodyStart, bodyStart + size));
  command.set('$db', namespace.slice(0, -'.$cmd'.length));
  return { requestId, opCode: OP_QUERY, command, wantsReply: true };
}

let nextReplyId = 1;

/** The reply to a request, in the same kind of message. */
export function replyMessage(request: Pick<Request, 'requestId' | 'opCode'>, document: EncodableMap): Buffer {
  const body = encode(document);
  const extra = request.opCode === OP_MSG ? 5 : 20;
  const head = Buffer.alloc(HEADER_BYTES + extra);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(nextReplyId++ & 0x7fffffff, 4);
  head.writeInt32LE(request.requestId, 8);
  head.writeInt32LE(request.opCode === OP_MSG ? OP_MSG : OP_REPLY, 12);
  if (request.opCode === OP_QUERY) {
    head.writeInt32LE(8, HEADER_BYTES);
    head.writeInt32LE(1, HEADER_BYTES + 16);
  }
  return Buffer.concat([head, body]);
}
