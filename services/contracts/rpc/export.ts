import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Everything a service holds about a user, as plain JSON, for the data export. */
export function exportRpc(service: ServiceName) {
  return rpc(`export.${service}`, z.object({ userId: id128 }), z.record(z.string(), z.unknown()));
}
