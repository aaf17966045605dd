import type { EncodableMap } from '../bson/encode.js';
import { Binary, type Doc, int, isDoc, isNumber, isTruthy } from '../bson/values.js';
import { badValue, ERROR_CODES, MongoError, typeMismatch } from '../errors.js';
import { Conversation, refused } from '../sign-in/scram.js';
import { READ_WRITE_COMMANDS } from '../sign-in/users.js';
import { stringArgument } from './arguments.js';
import type { Call, CommandHandler } from './context.js';
import { okReply } from './replies.js';

/** The only mechanism: others would have to store more of the password. */
const MECHANISM = 'SCRAM-SHA-256';
/** The database of the users, as in MongoDB. */
const USERS_DATABASE = 'admin';
/** Constant, because a connection has one conversation at a time. */
const CONVERSATION_ID = int(1);

/** Commands allowed without a sign-in: liveness checks and the sign-in itself. */
const OPEN_TO_ALL = [
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'buildInfo',
  'buildinfo',
  'saslStart',
  'saslContinue',
  'logout',
];

/** Throws MongoError 13 if the command needs a sign-in, or if the user has no right to it in this database. */
export function requireAllowed({ server, session, name, db }: Call): void {
  if (server.users === undefined || OPEN_TO_ALL.includes(name)) return;
  if (session.user === undefined)
    throw new MongoError(ERROR_CODES.Unauthorized, `Command ${name} requires authentication`);
  const { database } = session.user;
  // Ending a session touches no data, and drivers send it to admin.
  if (database === undefined || name === 'endSessions') return;
  if (db === database && READ_WRITE_COMMANDS.includes(name)) return;
  throw new MongoError(ERROR_CODES.Unauthorized, `not authorized on ${db} to execute command { ${name} }`);
}

export const saslStart: CommandHandler = (call) => {
  const mechanism = stringArgument('saslStart', call.command, 'mechanism');
  if (mechanism !== MECHANISM) {
    throw new MongoError(
      ERROR_CODES.MechanismUnavailable,
      `Received authentication for mechanism ${mechanism} which is not enabled (${MECHANISM} is)`,
    );
  }
  return started(call, call.command, call.db);
};

export const saslContinue: CommandHandler = ({ server, session, command }) => {
  const { pending } = session;
  session.pending = undefined;
  const id = command.get('conversationId');
  if (pending === undefined || !isNumber(id) || id.toString() !== CONVERSATION_ID.toString())
    throw new MongoError(ERROR_CODES.ProtocolError, 'No SASL session state found');
  const text = payloadOf(command);
  if (pending.isProven) {
    if (text !== '') throw refused();
    return signedIn(server, session, pending.conversation);
  }
  const proof = pending.conversation.finish(text);
  if (pending.skipsEmptyExchange) return signedIn(server, session, pending.conversation, proof);
  session.pending = { ...pending, isProven: true };
  return conversation(false, proof);
};

export const logout: CommandHandler = ({ session }) => {
  session.user = undefined;
  session.pending = undefined;
  return okReply();
};

/** Sign-in fields of a handshake's reply: the mechanisms of the named user, and the reply to a speculative sign-in. */
export function handshakeFields(call: Call): Record<string, EncodableMap | string[]> {
  if (call.server.users === undefined) return {};
  const fields: Record<string, EncodableMap | string[]> = {};
  // The same for every name, so that it does not reveal which users exist.
  if (call.command.has('saslSupportedMechs')) fields.saslSupportedMechs = [MECHANISM];
  const early = call.command.get('speculativeAuthenticate');
  if (!isDoc(early) || early.get('mechanism') !== MECHANISM) return fields;
  try {
    fields.speculativeAuthenticate = started(call, early, stringArgument('saslStart', early, 'db'), false);
  } catch (error) {
    // Without this reply a client starts a normal sign-in, which returns the error.
    if (!(error instanceof MongoError)) throw error;
  }
  return fields;
}

function started({ server, session }: Call, command: Doc, db: string, isCommand = true): EncodableMap {
  session.user = undefined;
  session.pending = undefined;
  const { users } = server;
  if (users === undefined || db !== USERS_DATABASE) throw refused();
  const options = command.get('options');
  const begun = new Conversation((name) => users.credentialsOf(name), payloadOf(command));
  const skipsEmptyExchange = isDoc(options) && isTruthy(options.get('skipEmptyExchange'));
  session.pending = { conversation: begun, skipsEmptyExchange, isProven: false };
  return conversation(false, begun.challenge, isCommand);
}

function signedIn(server: Call['server'], session: Call['session'], proven: Conversation, proof = ''): EncodableMap {
  session.user = server.users?.signedIn(proven.user);
  return conversation(true, proof);
}

function conversation(done: boolean, text: string, isCommand = true): EncodableMap {
  const reply = okReply({ conversationId: CONVERSATION_ID, done, payload: new Binary(Buffer.from(text)) });
  if (!isCommand) reply.delete('ok');
  return reply;
}

function payloadOf(command: Doc): string {
  const payload = command.get('payload');
  if (typeof payload === 'string') return payload;
  if (!(payload instanceof Binary)) throw typeMismatch("BSON field 'payload' must be binary data");
  const text = Buffer.from(payload.value()).toString('utf8');
  if (text.includes('\0')) throw badValue('a payload with a null byte');
  return text;
}
