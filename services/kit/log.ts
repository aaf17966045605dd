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

/** Lines that wait while standard output takes none, bytes; what comes beyond them is left out. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Standard output. It may take nothing, as a file on a full disk: that must neither end the process, as an error that nobody listens for does, nor hold
 * it up. So pino gets no `flushSync`, which tries without end; each line is written as it comes.
 */
function standardOutput(): pino.DestinationStream {
  const lines = pino.destination({ dest: 1, sync: true, maxLength: WAITING_BYTES_MAX });
  lines.on('error', () => undefined);
  return { write: (line) => void lines.write(line) };
}

/**
 * JSON lines on stdout with the service's name, its release, ISO times, and the request context (`requestId`, `traceId`) where there is one.
 * Values of secret fields are replaced.
 * @param level one of pino's levels
 */
export function createLogger(service: string, level: string, destination = standardOutput()): Log {
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
  return pino(options, destination);
}

/** An error for the log: its stack, but no attached request, response or configuration. */
function serializeError(err: unknown): unknown {
  if (!(err instanceof Error)) return { message: String(err) };
  const code = 'code' in err ? { code: err.code } : {};
  const cause = err.cause === undefined ? {} : { cause: serializeError(err.cause) };
  return { type: err.name, message: err.message, stack: err.stack, ...code, ...cause };
}
