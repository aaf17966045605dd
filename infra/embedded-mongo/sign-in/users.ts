import { randomBytes } from 'node:crypto';
import { type Credentials, decoyCredentials, deriveCredentials } from './scram.js';

/** Who may sign in, as a start names them. */
export interface UserOptions {
  name: string;
  password: string;
  /** The only database that the user may read and write (MongoDB's role readWrite); without it the user may do everything. */
  database?: string;
}

/** Who has signed in on a connection. */
export interface SignedIn {
  name: string;
  database: string | undefined;
}

/** The users of a server. Of their passwords it keeps salted keys, in memory. */
export class Users {
  private readonly known = new Map<string, { credentials: Credentials; database: string | undefined }>();
  private readonly secret = randomBytes(32);

  /** Throws when two have one name, or a name or password is empty. */
  static async of(options: readonly UserOptions[]): Promise<Users> {
    const users = new Users();
    for (const { name, password, database } of options) {
      if (name === '' || password === '') throw new Error('a user needs a name and a password');
      if (users.known.has(name)) throw new Error(`two users have the name '${name}'`);
      users.known.set(name, { credentials: await deriveCredentials(name, password), database });
    }
    return users;
  }

  /** Of an unknown name what looks the same and fits no password. */
  credentialsOf(name: string): Credentials {
    return this.known.get(name)?.credentials ?? decoyCredentials(name, this.secret);
  }

  /** Who a proven conversation was with. */
  signedIn(name: string): SignedIn {
    return { name, database: this.known.get(name)?.database };
  }
}

/** What the role readWrite allows in its database, of the commands of this server; no other command is allowed to such a user. */
export const READ_WRITE_COMMANDS: readonly string[] = [
  ...['find', 'getMore', 'killCursors', 'aggregate', 'count', 'distinct', 'explain'],
  ...['insert', 'update', 'delete', 'findAndModify', 'findandmodify'],
  ...['create', 'drop', 'listCollections', 'createIndexes', 'listIndexes', 'dropIndexes'],
];
