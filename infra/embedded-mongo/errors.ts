/** Names of the error codes that this server returns, as in MongoDB. */
export const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  GraphContainsCycle: 5,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  ShutdownInProgress: 91,
  NotExactValueField: 111,
  CommandNotSupported: 115,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  InvalidIndexSpecificationOption: 197,
  IndexBuildAborted: 276,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  DataCorruptionDetected: 301,
  MechanismUnavailable: 334,
  InvalidPipelineOperator: 168,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
} as const;

const NAME_OF_CODE = new Map<number, string>(Object.entries(ERROR_CODES).map(([name, code]) => [code, name]));

/** An error that is sent to the client as MongoDB sends it: code, codeName, errmsg, and fields such as keyPattern. */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly details: ReadonlyMap<string, unknown>;

  constructor(code: number, message: string, details: ReadonlyMap<string, unknown> = new Map()) {
    super(message);
    this.name = 'MongoError';
    this.code = code;
    this.codeName = NAME_OF_CODE.get(code) ?? `Location${code}`;
    this.details = details;
  }
}

export const badValue = (message: string): MongoError => new MongoError(ERROR_CODES.BadValue, message);
export const failedToParse = (message: string): MongoError => new MongoError(ERROR_CODES.FailedToParse, message);
export const typeMismatch = (message: string): MongoError => new MongoError(ERROR_CODES.TypeMismatch, message);
/** The error for features of MongoDB that this server lacks; the message names the feature. */
export const notSupported = (what: string): MongoError =>
  new MongoError(ERROR_CODES.CommandNotSupported, `${what} is not supported by the embedded server`);
