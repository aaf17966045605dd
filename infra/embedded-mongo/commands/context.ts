import type { EncodableMap } from '../bson/encode.js';
import type { Doc } from '../bson/values.js';
import type { Database } from '../engine/database.js';
import type { Store } from '../engine/store.js';
import type { Session } from '../sign-in/session.js';
import type { Users } from '../sign-in/users.js';
import type { CursorRegistry } from './cursors.js';

/** What all commands share. */
export interface ServerContext {
  store: Store;
  database: Database;
  cursors: CursorRegistry;
  startedMs: number;
  warn: (message: string) => void;
  connections: () => number;
  /** Who may sign in; without it nobody has to. */
  users: Users | undefined;
  /** Commands answered so far, by name. */
  counters: Map<string, number>;
}

/** One command being answered. */
export interface Call {
  server: ServerContext;
  /** As the client wrote it: the first field. */
  name: string;
  db: string;
  command: Doc;
  session: Session;
  /** Of maxTimeMS. */
  limitMs: number | undefined;
}

export type CommandHandler = (call: Call) => Promise<EncodableMap> | EncodableMap;
