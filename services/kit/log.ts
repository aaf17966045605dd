import { type Logger, pino } from 'pino';
import { contextOnLine } from './cause.js';
import { BUILD } from './metrics/build.js';

export type Log = Logger;

/** Fields whose value never reaches a log line, at any depth that our records have. */
const SECRET_FIELDS = [
  'token',
  'cookie',
  'authorization',
  'password',
  'pass',
  'secret',
  'codeVerifier',
  'code_verifier',
  'access_token',
  'client_secret',
];

/**
 * JSON lines on stdout with the service's name, its release, ISO times, and the request context (`requestId`, `traceId`) where there is one.
 * Values of secret fields are replaced.
 * @param level one of pino's levels
 */
export function createLogger(service: string, level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { service, version: BUILD.version, pid: process.pid },
    mixin: contextOnLine,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[secret]',
    },
    serializers: { err: serializeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An error for the log: its stack, but no attached request, response or configuration. */
function serializeError(err: unknown): unknown {
  if (!(err instanceof Error)) return { message: String(err) };
  const code = 'code' in err ? { code: err.code } : {};
  const cause = err.cause === undefined ? {} : { cause: serializeError(err.cause) };
  return { type: err.name, message: err.message, stack: err.stack, ...code, ...cause };
}
