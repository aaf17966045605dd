import { randomBytes } from 'node:crypto';

/** W3C Trace Context, level 1: version, trace, parent, flags; neither id all zeros. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns a call's traceparent, when valid. */
export function validTraceparent(given: string | undefined): string | undefined {
  return given !== undefined && TRACEPARENT.test(given) ? given : undefined;
}

/** Returns a call's traceparent unchanged, or a new one when it is invalid. */
export function traceparentOf(given: string | undefined): string {
  const known = validTraceparent(given);
  if (known !== undefined) return known;
  const random = randomBytes(24).toString('hex');
  return `00-${random.slice(0, 32)}-${random.slice(32)}-00`;
}

/** Returns the trace id, which finds its log lines. @param traceparent a valid one */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);
