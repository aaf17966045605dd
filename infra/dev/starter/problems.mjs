/** A reason not to start that the reader can act on: shown as one message, without a stack trace. */
export class StartError extends Error {
  name = 'StartError';
}
