/**
 * Sends one request to several services at once.
 * @param send rejects where the service does not answer in time
 * @returns what came, in the order of the services, and the services that did not answer
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
