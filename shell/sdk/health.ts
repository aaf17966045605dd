/** Answer of GET /healthz of the gateway: 200 when every service is ready, else 503 with the same shape. */
export interface Health {
  status: string;
  services: Readonly<Record<string, string>>;
}

const HEALTH_TIMEOUT_MS = 5_000;

/** Reads the state of the services from the gateway. A 503 is an answer too. @throws TypeError when there is no answer to read. */
export async function fetchHealth(send: typeof fetch): Promise<Health> {
  const response = await send('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
  const answer = (await response.json()) as Partial<Health> | null;
  if (typeof answer?.services !== 'object') throw new TypeError('The health answer has no services');
  return { status: answer.status ?? 'unknown', services: answer.services };
}
