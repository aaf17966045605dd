import type { EncodableMap } from '../bson/encode.js';
import type { Doc } from '../bson/values.js';
import type { Database } from '../engine/database.js';
import type { Store } from '../engine/store.js';
import type { Session } from '../sign-in/session.js';
import type { Users } from '../sign-in/users.js';
import type { CursorRegistry } from './cursors.js';

/** The state that all commands share. */
export interface ServerContext {
  store: Store;
  database: Database;
  cursors: CursorRegistry;
  startedMs: number;
  warn: (message: string) => void;
  connections: () => number;
  /** The users of the server; undefined if it needs no sign-in. */
  users: Users | undefined;
  /** Number of executed commands, by name. */
  counters: Map<string, number>;
}

/** One command in execution. */
export interface Call {
  server: ServerContext;
  /** The name as the client sent it: the first field. */
  name: string;
  db: string;
  command: Doc;
  session: Session;
  /** From maxTimeMS. */
  limitMs: number | undefined;
}

export type CommandHandler = (call: Call) => Promise<EncodableMap> | EncodableMap;
