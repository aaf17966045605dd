import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readBy, variableOf } from '@cord/kit/environment';
import { parseAllDocuments } from 'yaml';
import { sourceFiles } from '../../build/source-files.ts';
import { BACKED_UP } from '../../dev/backup/secrets.ts';

/** Whatever a file of YAML or a plain JavaScript module holds. */
// biome-ignore lint/suspicious/noExplicitAny: what is read is what is under test
export type Any = any;

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const HERE = `${ROOT}infra/production/`;

export const text = (path: string): string => readFileSync(`${HERE}${path}`, 'utf8');

const parsed = new Map<string, Any[]>();

/** Returns all documents of a file, with merge keys resolved; read once. */
export function yaml(path: string): Any[] {
  const found = parsed.get(path) ?? parse(path);
  parsed.set(path, found);
  return found;
}

function parse(path: string): Any[] {
  return documentsIn(text(path), path);
}

function documentsIn(content: string, path: string): Any[] {
  const documents = parseAllDocuments(content, { merge: true });
  const broken = documents.flatMap((one) => [...one.errors, ...one.warnings]);
  if (broken.length > 0) throw new Error(`${path}: ${broken.map(({ message }) => message).join('; ')}`);
  return documents.map((one) => one.toJS());
}

/** kubectl 1.27 has the first kustomize that supports `labels` and `patches`; Debian 12 has an older one. */
const KUBECTL_MINOR_MIN = 27;
const { stdout: version = '' } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
export const canRender = Number(/"minor": "(\d+)/.exec(version ?? '')?.[1] ?? 0) >= KUBECTL_MINOR_MIN;

/** Returns the objects of a kustomization. @throws with the output of kubectl */
export function rendered(path: string): Any[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', `${HERE}${path}`], { encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`kubectl kustomize ${path}: ${stderr}`);
  return documentsIn(stdout, path);
}

/** Imports a plain JavaScript module below infra/. */
export const script = (path: string): Promise<Any> => import(new URL(`../../${path}`, import.meta.url).href);

/** Returns the files below a folder, as paths below infra/production. */
export function below(folder: string): string[] {
  return sourceFiles(`${folder}/**`, HERE);
}

/** Returns the source of a container's program: the noun's file for the command line, the entry point for services and the gateway. */
export const programOf = ([file, noun]: string[]): string | undefined =>
  file?.endsWith('/cord.mjs') ? `infra/cli/${noun}.ts` : file?.replace(/\/dist\/(\w+)\.js$/, '/$1.ts');

/** Returns the owner of a program in the table of variables: a service or `gateway`; for a job its program. */
export const whoRuns = (command: string[]): string | undefined =>
  /^(?:services|infra)\/(\w+)\/dist\/main\.js$/.exec(command[0] ?? '')?.[1] ?? programOf(command);

/** Variables read by Node and the C library, and the folder of secrets that everybody has. */
const OF_EVERYBODY = ['NODE_EXTRA_CA_CERTS', 'RES_OPTIONS', 'SECRETS_DIR'];

/** Variables that a program reads through imported lists. */
const READ_BY_LIST: Record<string, readonly string[]> = { 'infra/cli/data.ts': ['NATS_URL', ...BACKED_UP] };

/**
 * Returns variables that the owner does not read, by the table of variables and, for a job, by its program.
 * @param who a service, `gateway` or the program of a job
 */
export function unread(who: string, variables: readonly string[]): string[] {
  const program = /\.(mjs|ts)$/.test(who) ? readFileSync(`${ROOT}${who}`, 'utf8') : '';
  const reads = (name: string) => {
    if (OF_EVERYBODY.includes(name) || name.startsWith('OTEL_')) return true;
    const plain = variableOf(name) ? name : name.replace(/_FILE$/, '');
    const { by = [], secret = false } = variableOf(plain) ?? {};
    if (name !== plain && !secret) return false;
    if (READ_BY_LIST[who]?.includes(plain)) return true;
    if (program !== '') return program.includes(plain) || by.includes('start') || by.includes('all');
    return readBy(who).includes(plain);
  };
  return variables.filter((name) => !reads(name));
}

/** Whether an image is pinned: a digest, or a whole version. */
export const isPinned = (image: string): boolean => /@sha256:[0-9a-f]{64}$|:\d+\.\d+\.\d+(-[a-z0-9-]+)?$/.test(image);

/** Whether an image is the one built here; it has the tag of a release. */
export const isOurs = (image: string): boolean => image.startsWith('cord:');

/** Folder of a container's secrets: each is a file with the name of its variable. */
export const SECRETS_DIR = '/run/secrets/own';

/** Returns the secrets of a container: folders made by `npx cord secrets`, e.g. `auth`, or single files of them, e.g. `auth/TOMBSTONE_KEY`. */
export function secretsIn(pod: Any, { volumeMounts }: Any): string[] {
  const mounted = pod.volumes.filter(({ name }: Any) => volumeMounts.some((mount: Any) => mount.name === name));
  return mounted.flatMap(({ secret, projected }: Any) => [
    ...(secret ? [folderOf(secret.secretName)] : []),
    ...(projected?.sources ?? []).flatMap(({ secret: { name, items } }: Any) =>
      items.map(({ key, path }: Any) => (key === path ? `${folderOf(name)}/${key}` : `${name}: ${key} as ${path}`)),
    ),
  ]);
}

const folderOf = (secret: string): string => secret.replace(/^cord-/, '');
