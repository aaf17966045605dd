import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const FOLDER = join(import.meta.dirname, '../../production/kubernetes');
/** Of the images and the pods. */
export const USER = '10001:10001';
/** What an overlay says of a place; the benchmark's own. */
const PLACE = {
  PUBLIC_ORIGIN: 'https://cord.example',
  DISCORD_CLIENT_ID: '1',
  SOLANA_TREASURY: '11111111111111111111111111111111',
  TRUSTED_PROXIES: '127.0.0.1',
  HOST: '127.0.0.1',
  METRICS_HOST: '127.0.0.1',
  DRAIN_MS: '0',
};

/**
 * What a pod gives to its container, by the files of Kubernetes.
 * @param {string} name of a service, a job, `gateway`, or `modules`, which runs before it
 * @param {{secrets: string, modules: string}} places folders in the place of Secrets and the volume of modules
 * @returns {{args: string[], env: Record<string, string>, volumes: {from: string, to: string, write?: boolean}[]}}
 */
export function podOf(name, { secrets, modules }) {
  const spec = specs().find(({ containers, initContainers = [] }) =>
    [...containers, ...initContainers].some((one) => one.name === name),
  );
  const {
    args = [],
    env = [],
    volumeMounts,
  } = [...spec.containers, ...(spec.initContainers ?? [])].find((one) => one.name === name);
  const given = Object.fromEntries(env.map(({ name: variable, value = '0' }) => [variable, value]));
  const volumes = volumeMounts.flatMap(({ name: volume, mountPath: to, subPath = '', readOnly = false }) => {
    const { secret, persistentVolumeClaim } = spec.volumes.find((one) => one.name === volume);
    if (secret) return { from: join(secrets, secret.secretName.replace('cord-', '')), to };
    return persistentVolumeClaim ? { from: join(modules, subPath), to, write: !readOnly } : [];
  });
  return { args, env: { ...PLACE, ...given }, volumes };
}

/** Every pod of the base. */
function specs() {
  const files = readdirSync(join(FOLDER, 'base'), { recursive: true }).filter((file) => file.endsWith('.yaml'));
  return files
    .flatMap((file) => parseAllDocuments(readFileSync(join(FOLDER, 'base', file), 'utf8'), { merge: true }))
    .map((one) => one.toJS())
    .flatMap(({ kind, spec }) => (kind === 'CronJob' ? spec.jobTemplate.spec : (spec ?? {})).template?.spec ?? []);
}
