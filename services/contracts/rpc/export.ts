import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { id128 } from '../http/fields.js';
import { answering } from '../manifests/index.js';
import { rpc } from './rpc.js';

/** Services that hold something about users. */
export const HOLDING_SERVICES: readonly ServiceName[] = answering('export');

/** Everything a service holds about a user, as plain JSON, for the data export. */
export function exportRpc(service: ServiceName) {
  return rpc(`export.${service}`, z.object({ userId: id128 }), z.record(z.string(), z.unknown()));
}
