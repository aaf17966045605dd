import type { PartsHost } from '@cord/sdk/host';

let come: PartsHost | null = null;

/** Parts are for those who are signed in: what finds them comes with the app behind the sign-in (app/signed-in-bundle.ts). */
export const lateParts: PartsHost = {
  load: async (...asked) => host().load(...asked),
  action: async (...asked) => host().action(...asked),
  releaseOf: (name) => host().releaseOf(name),
  get Skeleton() {
    return host().Skeleton;
  },
  get Failed() {
    return host().Failed;
  },
};

/** It has come. */
export function takeParts(partsHost: PartsHost): void {
  come = partsHost;
}

function host(): PartsHost {
  if (come === null) throw new Error('what finds the parts of modules has not come yet');
  return come;
}
