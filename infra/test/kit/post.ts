/** A local system's clock answers once everything has run that fell due. */
const ANSWER_MS_MAX = 280_000;

/**
 * Sends JSON, as to the helpers under /dev.
 * @returns the answer's JSON
 * @throws {Error} with the answer when it is no success
 */
export async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
