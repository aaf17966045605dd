import { cord } from '../rules/money.js';
import type { Manifest } from './manifest.js';

export const rewards = {
  streams: { CORD_REWARDS: ['badge', 'claim', 'epoch'] },
  requests: ['ledger.running', 'ledger.epochs'],
  answers: ['export.rewards', 'audit.rewards', 'parked.rewards', 'parked.retry.rewards'],
  credits: { compensation: cord(5_000), cordclaim: cord(10_000) },
  liveKinds: ['orders', 'epoch'],
  outside: ['solana', 'prices'],
} as const satisfies Manifest;
