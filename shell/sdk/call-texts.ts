import { signedInCode } from './signed-in-code';

/** Maximum wait of a failed call for its text, ms; the text is usually loaded at the first touch of the page. */
const WITHIN_MS = 1_000;

/** Returns the text for a failed call by endpoint id; null when it has none or the text does not load. */
export async function callText(endpointId: string): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WITHIN_MS);
  });
  const text = async () => (await signedInCode().callTexts())(endpointId);
  return Promise.race([text().catch(() => null), late]).finally(() => clearTimeout(timer));
}
