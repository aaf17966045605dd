import { randomBytes } from 'node:crypto';

/** W3C Trace Context, level 1: version, trace, parent, flags; neither all zeros. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace that a call names, where it is valid. */
export function givenTrace(given: string | undefined): string | undefined {
  return given !== undefined && TRACEPARENT.test(given) ? given : undefined;
}

/** The trace that a call names: handed on as it came, or begun here when what came is none. */
export function traceparentOf(given: string | undefined): string {
  const known = givenTrace(given);
  if (known !== undefined) return known;
  const random = randomBytes(24).toString('hex');
  return `00-${random.slice(0, 32)}-${random.slice(32)}-00`;
}

/** The trace's id, by which its lines are found. @param traceparent one that fits */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);
