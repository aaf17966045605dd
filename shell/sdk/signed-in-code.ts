import type { createLive } from './live/live';
import type { PartsHost } from './parts';

/** Code of the sdk that comes with the app behind the sign-in: the landing page does without it. */
export interface SignedInCode {
  createLive: typeof createLive;
  parts: PartsHost;
  /** The texts of failed calls, in a file of their own, by the id of the endpoint; null where a call has none. */
  callTexts(): Promise<(endpointId: string) => string | null>;
}

let come: SignedInCode | null = null;

export function bringSignedInCode(code: SignedInCode): void {
  come = code;
}

/** @throws before it has come */
export function signedInCode(): SignedInCode {
  if (come === null) throw new Error('the code behind the sign-in has not come yet');
  return come;
}
