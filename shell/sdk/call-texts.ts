type TextOf = (endpointId: string) => string | null;

/** So long a failed call waits for its words at the most, ms: mostly they have come with the first touch of the page. */
const WITHIN_MS = 1_000;

let fetchTexts: () => Promise<TextOf> = async () => () => null;

/** Where the texts for failed calls come from, for the app behind the sign-in: the landing page shows none of them. */
export function bringCallTexts(fetch: () => Promise<TextOf>): void {
  fetchTexts = fetch;
}

/** What is said of a failed call, by the id of its endpoint; null where there is nothing of its own, or it does not come. */
export function callText(endpointId: string): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), WITHIN_MS);
    const end = (text: string | null) => {
      clearTimeout(timer);
      resolve(text);
    };
    fetchTexts().then(
      (textOf) => end(textOf(endpointId)),
      () => end(null),
    );
  });
}
