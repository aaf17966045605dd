import { expect, test } from 'vitest';

import { PausedServices } from '../starter/paused-services.ts';
import type { Supervised } from '../starter/supervised.ts';

interface Process {
  spec: { service: string; name: string };
  stop(graceMs: number, signal: string): Promise<void>;
}

test('a pause stops everything that writes, and a resume restarts it, also after an interrupted import', async () => {
  const stopped: string[] = [];
  const processes: Process[] = ['store', 'nats', 'gateway', 'auth', 'mining', 'dev', 'solana'].map((service) => ({
    spec: { service, name: service },
    stop: async (_graceMs, signal) => void stopped.push(`${service} ${signal}`),
  }));
  const started: string[] = [];
  const pausedServices = new PausedServices({
    processes: processes as unknown as Supervised[],
    runFile: { update: async () => undefined },
    renewSecrets: async () => undefined,
    startAgain: async ({ name }) => void started.push(name),
  });
  expect(await pausedServices.resume(() => undefined)).toBe(false);
  await pausedServices.pause();
  expect(stopped).toEqual(['auth SIGINT', 'mining SIGINT', 'dev SIGINT', 'solana SIGINT']);
  expect(processes.map(({ spec }) => spec.service)).toEqual(['store', 'nats', 'gateway']);
  // An import that failed half-way leaves them paused; the next one starts again.
  await pausedServices.pause();
  expect(stopped).toHaveLength(4);
  expect(await pausedServices.resume(() => undefined)).toBe(true);
  // The chain first: other services call it at their start.
  expect(started).toEqual(['solana', 'auth', 'mining', 'dev']);
});

test('a service that fails to restart is reported and blocks no other; without secrets all stay paused', async () => {
  const processes: Process[] = ['solana', 'auth', 'mining'].map((service) => ({
    spec: { service, name: service },
    stop: async () => undefined,
  }));
  const started: string[] = [];
  let hasSecrets = false;
  const pausedServices = new PausedServices({
    processes: processes as unknown as Supervised[],
    runFile: { update: async () => undefined },
    renewSecrets: async () => {
      if (!hasSecrets) throw new Error('the secret is empty');
    },
    startAgain: async ({ name }) => {
      if (name !== 'mining') throw new Error(`${name} was not ready within 60 s.`);
      started.push(name);
    },
  });
  await pausedServices.pause();
  const lines: string[] = [];
  await expect(pausedServices.resume((line) => lines.push(line))).rejects.toThrow('the secret is empty');
  hasSecrets = true;
  expect(await pausedServices.resume((line) => lines.push(line))).toBe(true);
  expect(started).toEqual(['mining']);
  expect(lines).toEqual(['solana was not ready within 60 s.', 'auth was not ready within 60 s.']);
});
