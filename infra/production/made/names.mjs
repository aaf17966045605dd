import { opsPortOf } from '../../../services/kit/ops-port.mjs';

/** Where every service listens: for calls of the gateway, and for whoever probes it and reads its figures. */
export const SERVICE_PORT = 8080;
export const SERVICE_OPS_PORT = opsPortOf(SERVICE_PORT);
/** The gateway's, for people and for probers. */
export const GATEWAY_PORTS = { http: 8080, inside: 9090 };
/** Where the secrets of a process lie, a file each. */
export const SECRETS = '/run/secrets';
/** User and group of the images. */
export const USER = 10_001;

/** By which the pods of a part are found. @param {string} name */
export function labelsOf(name) {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'cord' };
}
