import { expect, test } from 'vitest';

import { PausedServices } from '../starter/paused-services.ts';
import type { Supervised } from '../starter/supervised.ts';

interface Process {
  spec: { service: string; name: string };
  stop(graceMs: number, signal: string): Promise<void>;
}

test('what writes stands still and comes back; one that was broken off has the same come back', async () => {
  const stopped: string[] = [];
  const processes: Process[] = ['store', 'nats', 'gateway', 'auth', 'mining', 'dev', 'solana'].map((service) => ({
    spec: { service, name: service },
    stop: async (_graceMs, signal) => void stopped.push(`${service} ${signal}`),
  }));
  const started: string[] = [];
  const pausedServices = new PausedServices({
    processes: processes as unknown as Supervised[],
    runFile: { update: async () => undefined },
    startAgain: async (specs) => void started.push(...specs.map(({ name }) => name)),
  });
  expect(await pausedServices.resume()).toBe(false);
  await pausedServices.pause();
  expect(stopped).toEqual(['auth SIGINT', 'mining SIGINT', 'dev SIGINT', 'solana SIGINT']);
  expect(processes.map(({ spec }) => spec.service)).toEqual(['store', 'nats', 'gateway']);
  // An import that failed half-way leaves it so; the next one begins again.
  await pausedServices.pause();
  expect(stopped).toHaveLength(4);
  expect(await pausedServices.resume()).toBe(true);
  expect(started).toEqual(['auth', 'mining', 'dev', 'solana']);
});
