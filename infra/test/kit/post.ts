/** Timeout in ms: a local system's clock responds only once everything due has run. */
const ANSWER_MS_MAX = 280_000;

/**
 * Posts JSON, for example to /dev.
 * @returns the response's JSON
 * @throws {Error} with the response unless it succeeds
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
