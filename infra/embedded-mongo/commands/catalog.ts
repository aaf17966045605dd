import { equal } from '../bson/compare.js';
import { encode, RawDoc } from '../bson/encode.js';
import { type Doc, int, isDoc, type Value } from '../bson/values.js';
import type { Collection } from '../engine/collection.js';
import type { CollectionIndex } from '../engine/collection-index.js';
import { checkNewIndex, describeIndex, parseIndexSpec } from '../engine/index-spec.js';
import { badValue, ERROR_CODES, MongoError } from '../errors.js';
import { parseFilter } from '../query/parse.js';
import { arrayArgument, countArgument, docArgument, flagArgument, namespaceOf } from './arguments.js';
import type { Call, CommandHandler } from './context.js';
import { okReply } from './replies.js';

export const create: CommandHandler = async (call) => {
  const namespace = namespaceOf(call);
  await call.server.store.write(() => call.server.database.create(namespace));
  return okReply();
};

export const drop: CommandHandler = async (call) => {
  const namespace = namespaceOf(call);
  const collection = call.server.database.find(namespace);
  if (collection === undefined) return okReply();
  const count = collection.indexes.length;
  await call.server.database.drop(collection);
  return okReply({ nIndexesWas: int(count), ns: namespace });
};

export const dropDatabase: CommandHandler = async ({ server, db }) => {
  const mine = collectionsOf(server.database.all(), db);
  // In parallel, so that they share commits.
  await Promise.all(mine.map((collection) => server.database.drop(collection)));
  return okReply(mine.length === 0 ? {} : { dropped: db });
};

const collectionsOf = (all: Collection[], db: string): Collection[] =>
  all.filter(({ namespace }) => namespace.slice(0, namespace.indexOf('.')) === db);

export const listDatabases: CommandHandler = ({ server, command }) => {
  const names = new Set(server.database.all().map(({ namespace }) => namespace.slice(0, namespace.indexOf('.'))));
  const filter = parseFilter(docArgument('listDatabases', command, 'filter') ?? new Map());
  const nameOnly = flagArgument('listDatabases', command, 'nameOnly');
  const shown = [...names].sort().map(
    (name): Doc =>
      nameOnly
        ? new Map([['name', name]])
        : new Map<string, Value>([
            ['name', name],
            ['empty', false],
          ]),
  );
  return okReply({ databases: shown.filter((one) => filter.test(one)) });
};

export const listCollections: CommandHandler = async (call) => {
  const filter = parseFilter(docArgument('listCollections', call.command, 'filter') ?? new Map());
  const shown = collectionsOf(call.server.database.all(), call.db).map((collection): Doc => {
    const name = collection.namespace.slice(call.db.length + 1);
    const primary = collection.indexes[0] as CollectionIndex;
    return new Map<string, Value>([
      ['name', name],
      ['type', 'collection'],
      ['options', new Map()],
      ['info', new Map([['readOnly', false]])],
      ['idIndex', describeIndex(primary.spec)],
    ]);
  });
  const isNameOnly = flagArgument('listCollections', call.command, 'nameOnly');
  const documents = shown
    .filter((one) => filter.test(one))
    .map((one) => (isNameOnly ? new Map([...one].slice(0, 2)) : one));
  return listing(call, `${call.db}.$cmd.listCollections`, documents);
};

export const createIndexes: CommandHandler = async (call) => {
  const namespace = namespaceOf(call);
  const requested = arrayArgument('createIndexes', call.command, 'indexes');
  if (requested.length === 0) throw badValue('Must specify at least one index to create');
  const specs = requested.map(parseIndexSpec);
  for (const spec of specs) checkNewIndex(spec);
  const { before, after, created } = await call.server.database.createIndexes(namespace, specs);
  return okReply({
    numIndexesBefore: int(created ? 1 : before),
    numIndexesAfter: int(after),
    createdCollectionAutomatically: created,
    ...(after === before ? { note: 'all indexes already exist' } : {}),
  });
};

export const listIndexes: CommandHandler = async (call) => {
  const collection = existing(call);
  const documents = collection.indexes.filter((index) => !index.building).map((index) => describeIndex(index.spec));
  return listing(call, collection.namespace, documents);
};

export const dropIndexes: CommandHandler = async (call) => {
  const collection = existing(call);
  const before = collection.indexes.length;
  const wanted = call.command.get('index');
  const chosen =
    wanted === '*'
      ? collection.indexes.slice(1)
      : (Array.isArray(wanted) ? wanted : [wanted]).map((one) => findIndex(collection, one));
  if (chosen.some((index) => index.spec.name === '_id_'))
    throw new MongoError(ERROR_CODES.InvalidOptions, 'cannot drop _id index');
  await call.server.database.dropIndexes(collection, chosen);
  return okReply({
    nIndexesWas: int(before),
    ...(wanted === '*' ? { msg: 'non-_id indexes dropped for collection' } : {}),
  });
};

function findIndex(collection: Collection, wanted: Value | undefined): CollectionIndex {
  const found = collection.indexes.find(({ spec }) => (isDoc(wanted) ? equal(spec.key, wanted) : spec.name === wanted));
  if (found !== undefined) return found;
  throw new MongoError(
    ERROR_CODES.IndexNotFound,
    isDoc(wanted)
      ? `can't find index with key: ${[...wanted.keys()].join(', ')}`
      : `index not found with name [${String(wanted)}]`,
  );
}

function existing(call: Call): Collection {
  const namespace = namespaceOf(call);
  const collection = call.server.database.find(namespace);
  if (collection === undefined) throw new MongoError(ERROR_CODES.NamespaceNotFound, `ns does not exist: ${namespace}`);
  return collection;
}

async function listing(call: Call, namespace: string, documents: Doc[]): Promise<ReturnType<typeof okReply>> {
  const options = docArgument(call.name, call.command, 'cursor');
  const batchSize = options === undefined ? undefined : countArgument('cursor', options, 'batchSize');
  const source = (async function* () {
    yield documents.map((one) => new RawDoc(encode(one)));
  })();
  const cursor = await call.server.cursors.open(namespace, source, {
    batchSize,
    singleBatch: false,
    limit: documents.length,
    noTimeout: false,
  });
  return okReply({ cursor });
}
