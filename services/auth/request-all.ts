/**
 * Sends one request to several services concurrently.
 * @param send rejects when the service does not respond in time
 * @returns the responses, in the order of the services, and the services that did not respond
 */
export async function requestAll<Service extends string, Answer>(
  services: readonly Service[],
  send: (service: Service) => Promise<Answer>,
): Promise<{ answers: { service: Service; answer: Answer }[]; missing: Service[] }> {
  const outcomes = await Promise.allSettled(services.map(send));
  const answers: { service: Service; answer: Answer }[] = [];
  const missing: Service[] = [];
  for (const [index, service] of services.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') answers.push({ service, answer: outcome.value });
    else missing.push(service);
  }
  return { answers, missing };
}
