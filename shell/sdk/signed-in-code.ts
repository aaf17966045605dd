import type { createLive } from './live/live';
import type { PartsHost } from './parts';

/** Code of the sdk that loads with the signed-in app; the landing page does not need it. */
export interface SignedInCode {
  createLive: typeof createLive;
  parts: PartsHost;
  /** Loads the texts of failed calls, by endpoint id; null when a call has none. */
  callTexts(): Promise<(endpointId: string) => string | null>;
}

let come: SignedInCode | null = null;

export function bringSignedInCode(code: SignedInCode): void {
  come = code;
}

/** @throws before it is loaded */
export function signedInCode(): SignedInCode {
  if (come === null) throw new Error('the code behind the sign-in has not come yet');
  return come;
}
