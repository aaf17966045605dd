import { signedInCode } from './signed-in-code';

/** So long a failed call waits for its text at the most, ms: mostly it has come with the first touch of the page. */
const WITHIN_MS = 1_000;

/** The text for a failed call, by the id of its endpoint; null where there is none of its own, or it does not come. */
export async function callText(endpointId: string): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WITHIN_MS);
  });
  const text = async () => (await signedInCode().callTexts())(endpointId);
  return Promise.race([text().catch(() => null), late]).finally(() => clearTimeout(timer));
}
