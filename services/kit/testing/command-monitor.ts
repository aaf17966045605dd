import { mongo } from 'mongoose';

/** One filter of a find, update or delete, or one inserted document. */
interface Look {
  /** For example `update accounts`. */
  what: string;
  fields: Readonly<Record<string, unknown>>;
}

type Document = Record<string, unknown>;

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
const READS = new Set(['find', 'getMore', 'aggregate']);

/** Drops the driver's session and cluster fields. */
const plain = ({ lsid: _lsid, $clusterTime: _time, ...document }: Document): Document => document;

/** Adds the option to a store's URI that makes its clients report their commands. */
export function monitoredUri(uri: string): string {
  return `${uri}${uri.includes('?') ? '&' : uri.endsWith('/') ? '?' : '/?'}monitorCommands=true`;
}

/**
 * Records every command that this process's MongoDB clients send from now on. Connect to `monitoredUri(...)`, or nothing is reported.
 */
export function monitorCommands() {
  const sent: string[] = [];
  const looks: Look[] = [];
  const bytes = { written: 0, read: 0 };
  const client = mongo.MongoClient.prototype as unknown as { emit(event: string, ...args: unknown[]): boolean };
  const { emit } = client;
  client.emit = function (event, ...args) {
    if (event === 'commandStarted') {
      const { command } = args[0] as { command: Document };
      const [name = ''] = Object.keys(command);
      const what = `${name} ${command[name]}`;
      sent.push(`${what}${isById(command) ? ' by id' : ''}`);
      for (const fields of namedBy(command)) looks.push({ what, fields });
      if (WRITES.has(name)) bytes.written += mongo.BSON.calculateObjectSize(plain(command));
    }
    if (event === 'commandSucceeded') {
      const { commandName, reply } = args[0] as { commandName: string; reply: Document };
      if (READS.has(commandName)) bytes.read += mongo.BSON.calculateObjectSize(plain(reply));
    }
    return emit.call(this, event, ...args);
  };
  return {
    /** All commands so far, in order, for example `update accounts`; a read of one document is `find accounts by id`. */
    sent: () => [...sent],
    /** The filters and inserted documents of all commands so far. */
    looks: (): readonly Look[] => [...looks],
    /** Bytes so far of all write commands, and of all responses to reads. */
    bytes: () => ({ ...bytes }),
    stop() {
      client.emit = emit;
    },
  };
}

/** Returns one command's filters and inserted documents; for an aggregation its first match. */
function namedBy(command: Document): Document[] {
  const single = ['find', 'findAndModify', 'findandmodify', 'count', 'distinct'].some((name) => name in command);
  if (single) return [asDocument(command.filter ?? command.query)];
  if ('aggregate' in command) return [asDocument(documents(command.pipeline)[0]?.$match)];
  const statements = [...documents(command.updates), ...documents(command.deletes)];
  return [...statements.map(({ q }) => asDocument(q)), ...('insert' in command ? documents(command.documents) : [])];
}

function isById({ filter }: Document): boolean {
  const fields = Object.keys(asDocument(filter));
  return fields.length === 1 && fields[0] === '_id';
}

/** Plain documents only: not dates, ids, buffers or BSON types. */
function asDocument(value: unknown): Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  if (value instanceof Map) return Object.fromEntries(value);
  return Object.getPrototypeOf(value) === Object.prototype ? (value as Document) : {};
}

function documents(value: unknown): Document[] {
  return Array.isArray(value) ? value.map(asDocument) : [];
}
