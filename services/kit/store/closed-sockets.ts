import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The parts of the driver's connection used here (mongodb 7.8 and 7.9: cmap/connection.js). */
interface DriverConnection {
  readonly socket: Socket;
  writeCommand(...command: unknown[]): Promise<void>;
}

const CONNECTION = 'mongodb/lib/cmap/connection.js';
const patchedSockets = new WeakSet<Socket>();
let isDone = false;

/**
 * Patches the driver, which waits forever for a command written to a closed socket that has not yet reported so. A socket whose
 * other end is gone is destroyed without an error and emits `close` later in the same turn of the event loop. A write in
 * between returns false, and neither `drain` nor `error` follows. So an operation never ended and kept its place in the pool. A
 * heartbeat never ended either, and none started again: the process stayed without its store for good. A socket closed while a
 * command waits for `drain` had the same effect.
 *
 * Now such a write throws, which is the driver's own way to detect a lost connection, and a close ends the wait.
 * @throws TypeError for a driver with another structure
 */
export function patchClosedSockets(): void {
  if (isDone) return;
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = ofMongoose(CONNECTION) as { Connection: { prototype: DriverConnection } };
  const { writeCommand } = Connection.prototype;
  if (typeof writeCommand !== 'function')
    throw new TypeError(`${CONNECTION} has no writeCommand: the driver has changed`);
  Connection.prototype.writeCommand = function (this: DriverConnection, ...command) {
    if (!patchedSockets.has(this.socket)) patchSocket(this.socket);
    return writeCommand.apply(this, command);
  };
  isDone = true;
}

function patchSocket(socket: Socket): void {
  patchedSockets.add(socket);
  const write = socket.write as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    if (socket.destroyed) throw closed();
    return write.apply(socket, args);
  };
  // The connection gets the close event first: its listener is older.
  socket.once('close', () => {
    if (socket.listenerCount('drain') > 0) socket.emit('error', closed());
  });
}

/** In the form of a system error, so that it counts as a store that is away. */
const closed = () => Object.assign(new Error('the store has closed the connection'), { code: 'ECONNRESET' });
