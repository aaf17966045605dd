/**
 * The supported features, in tables. Dispatch and the parsers read them, README.md is generated from them, and a test checks
 * every entry against the code. Everything else is refused by name.
 */

/** Options that every command accepts. Drivers send `lsid` and `$clusterTime` with each call; a single node ignores them. */
export const GENERIC_OPTIONS: readonly string[] = [
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'comment',
  'maxTimeMS',
];

/** A driver lists its features in its handshake. A server uses those that it knows, so any field is accepted. */
export const HANDSHAKE: readonly string[] = ['any field of a handshake'];

/** Each command with its own options. */
export const SUPPORTED_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  hello: HANDSHAKE,
  isMaster: HANDSHAKE,
  ismaster: HANDSHAKE,
  ping: [],
  buildInfo: [],
  buildinfo: [],
  serverStatus: [],
  cordSnapshot: [],
  endSessions: [],
  saslStart: ['mechanism', 'payload', 'autoAuthorize', 'options'],
  saslContinue: ['conversationId', 'payload'],
  logout: [],
  listDatabases: ['nameOnly', 'filter'],
  dropDatabase: [],
  create: [],
  drop: [],
  listCollections: ['filter', 'nameOnly', 'cursor', 'authorizedCollections'],
  createIndexes: ['indexes', 'commitQuorum'],
  listIndexes: ['cursor'],
  dropIndexes: ['index'],
  insert: ['documents', 'ordered'],
  find: [
    'filter',
    'sort',
    'projection',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'hint',
    'noCursorTimeout',
    'allowDiskUse',
  ],
  getMore: ['collection', 'batchSize'],
  killCursors: ['cursors'],
  update: ['updates', 'ordered'],
  delete: ['deletes', 'ordered'],
  findAndModify: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'arrayFilters', 'hint'],
  findandmodify: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'arrayFilters', 'hint'],
  aggregate: ['pipeline', 'cursor', 'hint', 'explain', 'allowDiskUse'],
  count: ['query', 'limit', 'skip', 'hint'],
  distinct: ['key', 'query', 'hint'],
  explain: ['verbosity'],
};

/** Options that MongoDB has and this server refuses with code 115; any other unknown option is refused with 40415. */
export const REFUSED_OPTIONS: readonly string[] = [
  'collation',
  'let',
  'min',
  'max',
  'returnKey',
  'showRecordId',
  'tailable',
  'awaitData',
  'oplogReplay',
  'allowPartialResults',
  'bypassDocumentValidation',
  'capped',
  'size',
  'timeseries',
  'viewOn',
  'pipeline',
  'validator',
  'validationLevel',
  'validationAction',
  'clusteredIndex',
  'changeStreamPreAndPostImages',
  'expireAfterSeconds',
  'encryptedFields',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
];

/** Options that only transactions have: refused with code 20. */
export const TRANSACTION_OPTIONS: readonly string[] = ['txnNumber', 'autocommit', 'startTransaction'];

/** Options of one statement inside update and delete. */
export const STATEMENT_OPTIONS = {
  update: ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint'],
  delete: ['q', 'limit', 'hint'],
} as const;

export const INDEX_OPTIONS: Readonly<Record<'supported' | 'refused', readonly string[]>> = {
  supported: [
    'v',
    'key',
    'name',
    'ns',
    'unique',
    'sparse',
    'partialFilterExpression',
    'expireAfterSeconds',
    'background',
  ],
  refused: [
    'collation',
    'hidden',
    'weights',
    'default_language',
    'language_override',
    'textIndexVersion',
    '2dsphereIndexVersion',
    'bits',
    'min',
    'max',
    'bucketSize',
    'wildcardProjection',
    'storageEngine',
    'prepareUnique',
    'clustered',
  ],
};

export const TOP_LEVEL_QUERY_OPERATORS: readonly string[] = ['$and', '$or', '$nor', '$expr', '$comment'];

export const PATH_QUERY_OPERATORS: readonly string[] = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$not',
  '$exists',
  '$type',
  '$regex',
  '$options',
  '$mod',
  '$size',
  '$all',
  '$elemMatch',
];

export const SUPPORTED_UPDATE_OPERATORS: readonly string[] = [
  '$set',
  '$setOnInsert',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$rename',
  '$currentDate',
  '$push',
  '$addToSet',
  '$pop',
  '$pull',
  '$pullAll',
  '$bit',
];

export const PUSH_MODIFIERS: readonly string[] = ['$each', '$position', '$sort', '$slice'];
export const POSITIONAL_OPERATORS: readonly string[] = ['$', '$[]', '$[identifier]'];

export const SUPPORTED_QUERY_OPERATORS: readonly string[] = [...PATH_QUERY_OPERATORS, ...TOP_LEVEL_QUERY_OPERATORS];

export const SUPPORTED_STAGES: readonly string[] = [
  '$match',
  '$group',
  '$sort',
  '$skip',
  '$limit',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$count',
  '$unwind',
  '$replaceRoot',
  '$replaceWith',
  '$sortByCount',
];

export const SUPPORTED_ACCUMULATORS: readonly string[] = [
  '$sum',
  '$avg',
  '$min',
  '$max',
  '$first',
  '$last',
  '$push',
  '$addToSet',
  '$count',
];

export const SUPPORTED_EXPRESSIONS: readonly string[] = [
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp', '$and', '$or', '$not'],
  ...['$cond', '$switch', '$ifNull', '$let', '$literal'],
  ...['$add', '$subtract', '$multiply', '$divide', '$mod', '$abs', '$floor', '$ceil', '$trunc'],
  ...['$size', '$isArray', '$concatArrays', '$mergeObjects', '$arrayElemAt', '$first', '$last', '$slice', '$in'],
  ...['$filter', '$map', '$reduce', '$sum', '$avg', '$min', '$max'],
  ...['$concat', '$toLower', '$toUpper', '$strLenCP', '$type'],
  ...['$toString', '$toInt', '$toLong', '$toDouble', '$toBool', '$toDate'],
];

export const EXPLAINABLE_COMMANDS: readonly string[] = [
  'find',
  'count',
  'distinct',
  'findAndModify',
  'update',
  'delete',
  'aggregate',
];
