import { randomBytes } from 'node:crypto';
import { type Credentials, decoyCredentials, deriveCredentials } from './scram.js';

/** A user, as given at the start of the server. */
export interface UserOptions {
  name: string;
  password: string;
  /** The only database that the user may read and write (MongoDB's role readWrite); without it the user has all rights. */
  database?: string;
}

/** The user that has signed in on a connection. */
export interface SignedIn {
  name: string;
  database: string | undefined;
}

/** The users of a server. It keeps salted keys of their passwords, in memory. */
export class Users {
  private readonly known = new Map<string, { credentials: Credentials; database: string | undefined }>();
  private readonly secret = randomBytes(32);

  /** Throws if two users have the same name, or a name or password is empty. */
  static async of(options: readonly UserOptions[]): Promise<Users> {
    const users = new Users();
    for (const { name, password, database } of options) {
      if (name === '' || password === '') throw new Error('a user needs a name and a password');
      if (users.known.has(name)) throw new Error(`two users have the name '${name}'`);
      users.known.set(name, { credentials: await deriveCredentials(name, password), database });
    }
    return users;
  }

  /** The credentials of a user; for an unknown name decoys that no password matches. */
  credentialsOf(name: string): Credentials {
    return this.known.get(name)?.credentials ?? decoyCredentials(name, this.secret);
  }

  /** The user of a completed conversation. */
  signedIn(name: string): SignedIn {
    return { name, database: this.known.get(name)?.database };
  }
}

/** The commands that the role readWrite allows in its database; all others are refused to such a user. */
export const READ_WRITE_COMMANDS: readonly string[] = [
  ...['find', 'getMore', 'killCursors', 'aggregate', 'count', 'distinct', 'explain'],
  ...['insert', 'update', 'delete', 'findAndModify', 'findandmodify'],
  ...['create', 'drop', 'listCollections', 'createIndexes', 'listIndexes', 'dropIndexes'],
];
