import { z } from 'zod';
import { SERVICES, type ServiceName } from '../endpoint.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Services beside auth that hold user data. */
export const HOLDING_SERVICES: readonly ServiceName[] = SERVICES.filter((service) => service !== 'auth');

/** All data that a service holds about a user, as plain JSON, for the data export. */
export function exportRpc(service: ServiceName) {
  const parties = { from: ['auth'], by: service, toEach: true } as const;
  return rpc(`export.${service}`, parties, z.object({ userId: id128 }), z.record(z.string(), z.unknown()));
}
