import { mongo } from 'mongoose';

/** What a store declares to support; the embedded server's `capabilities` fit. */
interface StoreCapabilities {
  /** Each command with its own options. */
  SUPPORTED_COMMANDS: Readonly<Record<string, readonly string[]>>;
  GENERIC_OPTIONS: readonly string[];
  STATEMENT_OPTIONS: Readonly<Record<'update' | 'delete', readonly string[]>>;
  INDEX_OPTIONS: Readonly<Record<'supported', readonly string[]>>;
  SUPPORTED_QUERY_OPERATORS: readonly string[];
  SUPPORTED_UPDATE_OPERATORS: readonly string[];
  PUSH_MODIFIERS: readonly string[];
  SUPPORTED_STAGES: readonly string[];
  SUPPORTED_EXPRESSIONS: readonly string[];
  SUPPORTED_ACCUMULATORS: readonly string[];
}

/** What a command is about: one filter of a find, an update or a delete, or one document that is inserted. */
interface Look {
  /** As `update accounts`. */
  what: string;
  fields: Readonly<Record<string, unknown>>;
}

type Document = Record<string, unknown>;

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
const READS = new Set(['find', 'getMore', 'aggregate']);

/** Without what the driver adds of sessions and clusters, which is no document's. */
const plain = ({ lsid: _lsid, $clusterTime: _time, ...document }: Document): Document => document;

/** The part of a store's URI that makes its clients report their commands. */
export function monitoredUri(uri: string): string {
  return `${uri}${uri.includes('?') ? '&' : uri.endsWith('/') ? '?' : '/?'}monitorCommands=true`;
}

/**
 * Lists what every MongoDB client of this process sends from now on. Connect to `monitoredUri(...)`, or nothing is reported.
 */
export function monitorCommands() {
  const seen = new Set<string>();
  const sent: string[] = [];
  const looks: Look[] = [];
  const bytes = { written: 0, read: 0 };
  const client = mongo.MongoClient.prototype as unknown as { emit(event: string, ...args: unknown[]): boolean };
  const { emit } = client;
  client.emit = function (event, ...args) {
    if (event === 'commandStarted') {
      const { command } = args[0] as { command: Document };
      const [name = ''] = Object.keys(command);
      sent.push(`${name} ${command[name]}${isById(command) ? ' by id' : ''}`);
      note(command, seen);
      for (const fields of namedBy(command)) looks.push({ what: `${name} ${command[name]}`, fields });
      if (WRITES.has(name)) bytes.written += mongo.BSON.calculateObjectSize(plain(command));
    }
    if (event === 'commandSucceeded') {
      const { commandName, reply } = args[0] as { commandName: string; reply: Document };
      if (READS.has(commandName)) bytes.read += mongo.BSON.calculateObjectSize(plain(reply));
    }
    return emit.call(this, event, ...args);
  };
  return {
    /** Every command, option, operator and stage that was sent, as `find`, `find.sort`, `query $in`, `update $set`, `stage $match`. */
    seen: () => [...seen].sort(),
    /** All commands so far, in order, as `update accounts`; a look at one document as `find accounts by id`. */
    sent: () => [...sent],
    /** Each command that looks for documents so far, and each that inserts some, with what it names. */
    looks: (): readonly Look[] => [...looks],
    /** Bytes of all commands that write so far, and of all answers to those that read. */
    bytes: () => ({ ...bytes }),
    /** Those of `seen` that the store does not declare. */
    outside: (capabilities: StoreCapabilities) => [...seen].filter((what) => !isInside(what, capabilities)).sort(),
    stop() {
      client.emit = emit;
    },
  };
}

/** Filters and inserted documents of one command; of an aggregation its first match. */
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

/** Notes everything that one command uses of the store. */
export function note(command: Document, seen: Set<string>): void {
  const [name = ''] = Object.keys(command);
  seen.add(name);
  for (const option of Object.keys(command).slice(1)) seen.add(`${name}.${option}`);
  for (const filter of [command.filter, command.query]) noteOperators('query', filter, seen);
  noteOperators('expression', command.projection, seen);
  for (const statement of [...documents(command.updates), ...documents(command.deletes)]) {
    for (const option of Object.keys(statement)) seen.add(`statement ${option}`);
  }
  for (const statement of documents(command.updates)) {
    noteOperators('query', statement.q, seen);
    noteUpdate(statement.u, seen);
    for (const filter of documents(statement.arrayFilters)) noteOperators('query', filter, seen);
  }
  for (const statement of documents(command.deletes)) noteOperators('query', statement.q, seen);
  if (command.update !== undefined && name.toLowerCase() === 'findandmodify') noteUpdate(command.update, seen);
  for (const index of documents(command.indexes)) {
    for (const option of Object.keys(index)) seen.add(`index ${option}`);
    noteOperators('query', index.partialFilterExpression, seen);
  }
  for (const stage of documents(command.pipeline)) {
    const [kind = ''] = Object.keys(stage);
    seen.add(`stage ${kind}`);
    noteOperators(kind === '$match' ? 'query' : 'expression', stage[kind], seen);
  }
}

/** An update with operators; a replacement has none, a pipeline is named as such. */
function noteUpdate(update: unknown, seen: Set<string>): void {
  if (Array.isArray(update)) {
    seen.add('update pipeline');
    return;
  }
  for (const [operator, fields] of Object.entries(asDocument(update))) {
    if (!operator.startsWith('$')) continue;
    seen.add(`update ${operator}`);
    const inner = Object.values(asDocument(fields));
    if (operator === '$pull') for (const value of inner) noteOperators('query', value, seen);
    if (operator !== '$push' && operator !== '$addToSet') continue;
    for (const value of inner) {
      for (const key of Object.keys(asDocument(value))) if (key.startsWith('$')) seen.add(`push ${key}`);
    }
  }
}

function noteOperators(kind: 'query' | 'expression', value: unknown, seen: Set<string>): void {
  if (Array.isArray(value)) {
    for (const one of value) noteOperators(kind, one, seen);
    return;
  }
  for (const [key, inner] of Object.entries(asDocument(value))) {
    if (key.startsWith('$')) seen.add(`${kind} ${key}`);
    noteOperators(kind, inner, seen);
  }
}

function isInside(what: string, capabilities: StoreCapabilities): boolean {
  const [kind = '', operator = ''] = what.split(' ');
  switch (kind) {
    case 'query':
      return capabilities.SUPPORTED_QUERY_OPERATORS.includes(operator);
    case 'expression':
      return [...capabilities.SUPPORTED_EXPRESSIONS, ...capabilities.SUPPORTED_ACCUMULATORS].includes(operator);
    case 'stage':
      return capabilities.SUPPORTED_STAGES.includes(operator);
    case 'statement':
      return Object.values(capabilities.STATEMENT_OPTIONS).some((options) => options.includes(operator));
    case 'index':
      return capabilities.INDEX_OPTIONS.supported.includes(operator);
    case 'push':
      return capabilities.PUSH_MODIFIERS.includes(operator);
    case 'update':
      if (operator.startsWith('$')) return capabilities.SUPPORTED_UPDATE_OPERATORS.includes(operator);
      if (operator === 'pipeline') return false;
  }
  const [command = '', option] = what.split('.');
  const options = capabilities.SUPPORTED_COMMANDS[command];
  if (!options) return false;
  return option === undefined || [...options, ...capabilities.GENERIC_OPTIONS].includes(option);
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
