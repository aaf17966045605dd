import { cord } from '../rules/money.js';
import type { Manifest } from './manifest.js';

export const tasks = {
  streams: { CORD_TASKS: ['task', 'checkin'] },
  requests: ['ledger.account', 'ledger.earnings', 'ledger.rules'],
  answers: ['checkin.excused', 'checkin.outages', 'export.tasks', 'audit.tasks', 'parked.tasks', 'parked.retry.tasks'],
  credits: { task: cord(100_000), checkin: cord(150) },
  liveKinds: ['tasks', 'checkin'],
} as const satisfies Manifest;
