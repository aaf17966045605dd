import { type Logger, pino } from 'pino';
import { logContext } from './cause.js';
import { BUILD } from './metrics/build.js';

export type Log = Logger;

/** Fields whose values never reach a log line, at any depth that our records have. */
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

/** Maximum buffered log bytes while standard output is blocked; further lines are dropped. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Standard output. It may accept nothing, for example with a full disk. That must neither end the process, as an unhandled error event
 * does, nor block it. So pino gets no `flushSync`, which retries forever; each line is written at once.
 */
function standardOutput(): pino.DestinationStream {
  const lines = pino.destination({ dest: 1, sync: true, maxLength: WAITING_BYTES_MAX });
  lines.on('error', () => undefined);
  return { write: (line) => void lines.write(line) };
}

/**
 * Creates a logger: JSON lines on stdout with the service's name, its release, ISO times, and the request context (`requestId`, `traceId`).
 * Values of secret fields are replaced.
 * @param level one of pino's levels
 */
export function createLogger(service: string, level: string, destination = standardOutput()): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { service, version: BUILD.version, pid: process.pid },
    mixin: logContext,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[secret]',
    },
    serializers: { err: serializeError },
  };
  return pino(options, destination);
}

/** Serialises an error for the log: its stack, but no attached request, response or configuration. */
function serializeError(err: unknown): unknown {
  if (!(err instanceof Error)) return { message: String(err) };
  const code = 'code' in err ? { code: err.code } : {};
  const cause = err.cause === undefined ? {} : { cause: serializeError(err.cause) };
  return { type: err.name, message: err.message, stack: err.stack, ...code, ...cause };
}
