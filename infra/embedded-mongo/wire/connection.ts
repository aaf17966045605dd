import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { EncodableMap } from '../bson/encode.js';
import type { Doc } from '../bson/values.js';
import { errorReply } from '../commands/replies.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import { newSession, type Session } from '../sign-in/session.js';
import { messageLength, OP_MSG, ProtocolError, parseMessage, replyMessage } from './frames.js';

export type Handler = (command: Doc, session: Session) => Promise<EncodableMap>;

export interface ConnectionOptions {
  handle: Handler;
  /** The maximum message size that a connection may currently send, bytes. */
  maxBytes: (session: Session) => number;
  log: (message: string) => void;
}

/** Maximum number of queued messages; beyond it the socket is paused. */
const MAX_WAITING = 32;

/**
 * One client connection. Its messages are executed in order, also those without a reply, so that it reads its own
 * writes. A malformed message closes it and does not affect other connections.
 */
export class Connection {
  private readonly socket: Socket;
  private readonly session: Session;
  private readonly handle: Handler;
  private readonly maxBytes: ConnectionOptions['maxBytes'];
  private readonly log: ConnectionOptions['log'];
  private pieces: Buffer[] = [];
  private held = 0;
  private wanted = 4;
  private waiting: Buffer[] = [];
  private running: Promise<void> | undefined;
  private ended = false;

  constructor(socket: Socket, id: number, { handle, maxBytes, log }: ConnectionOptions) {
    this.socket = socket;
    this.session = newSession(id);
    this.handle = handle;
    this.maxBytes = maxBytes;
    this.log = log;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.receive(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => {
      this.ended = true;
      if (this.running === undefined) socket.end();
    });
  }

  /** Executes the complete messages received so far, then closes. */
  async finish(): Promise<void> {
    this.socket.pause();
    await this.running;
    this.socket.end();
    this.socket.destroySoon();
  }

  private receive(bytes: Buffer): void {
    this.pieces.push(bytes);
    this.held += bytes.length;
    try {
      while (this.held >= this.wanted && this.takeMessage());
    } catch (error) {
      this.close(error);
    }
  }

  /** Moves one complete message to the queue; false if more bytes are needed. */
  private takeMessage(): boolean {
    const bytes = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces, this.held);
    this.pieces = [bytes];
    const length = messageLength(bytes, this.maxBytes(this.session)) ?? 4;
    this.wanted = length;
    if (bytes.length < length) return false;
    this.pieces = bytes.length > length ? [bytes.subarray(length)] : [];
    this.held = bytes.length - length;
    this.wanted = 4;
    this.waiting.push(bytes.subarray(0, length));
    if (this.waiting.length > MAX_WAITING) this.socket.pause();
    this.running ??= this.run();
    return true;
  }

  private async run(): Promise<void> {
    for (let message = this.waiting.shift(); message !== undefined; message = this.waiting.shift()) {
      await this.answer(message).catch((error) => this.close(error));
      if (this.socket.destroyed) break;
      if (this.waiting.length === 0 && this.socket.isPaused()) this.socket.resume();
    }
    this.running = undefined;
    if (this.ended) this.socket.end();
  }

  private async answer(message: Buffer): Promise<void> {
    const request = parse(message);
    const reply =
      request.failure ?? (await this.handle(request.command, this.session).catch((error) => this.errorOf(error)));
    if (!request.wantsReply || this.socket.destroyed) return;
    const isWritable = this.socket.write(replyMessage(request, reply));
    if (!isWritable)
      await Promise.race([once(this.socket, 'drain'), once(this.socket, 'close')]).catch(() => undefined);
  }

  private errorOf(error: unknown): EncodableMap {
    if (error instanceof MongoError) return errorReply(error);
    this.log(`internal error: ${(error as Error).stack ?? error}`);
    return errorReply(new MongoError(ERROR_CODES.InternalError, `internal error: ${(error as Error).message}`));
  }

  private close(error: unknown): void {
    this.log(`connection ${this.session.connectionId} closed: ${(error as Error).message}`);
    this.waiting = [];
    this.socket.destroy();
  }
}

type Parsed = ReturnType<typeof parseMessage> & { failure?: EncodableMap };

/** Parses a frame. Malformed BSON in a complete frame gives an error reply; a malformed frame throws. */
function parse(message: Buffer): Parsed {
  try {
    return parseMessage(message);
  } catch (error) {
    if (!(error instanceof MongoError)) throw error;
    if (message.readInt32LE(12) !== OP_MSG) throw new ProtocolError(error.message);
    const requestId = message.readInt32LE(4);
    return { requestId, opCode: OP_MSG, command: new Map(), wantsReply: true, failure: errorReply(error) };
  }
}
