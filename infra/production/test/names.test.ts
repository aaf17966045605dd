import { describe, expect, test } from 'vitest';
import { type Any, canRender, isOurs, rendered, secretsIn, text, yaml } from './files.js';

/** Each Kubernetes workload has an equivalent in compose, which the proof of compose runs (`npm run proof -- compose`). */
const services: Record<string, Any> = Object.assign(
  {},
  ...['stores.yaml', 'compose.yaml'].map((name) => yaml(`compose/${name}`)[0].services),
);
const objects = canRender ? rendered('kubernetes/overlays/production') : [];
const configs = new Map<string, object>(
  objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]),
);

interface Container {
  name: string;
  args?: string[];
  command?: string[];
  env?: { name: string; value?: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe?: Any;
  volumeMounts: { mountPath: string; readOnly?: boolean }[];
}

const containers = objects.flatMap((one): { name: string; pod: Any; container: Container }[] => {
  const template = one.kind === 'CronJob' ? one.spec.jobTemplate.spec.template : one.spec?.template;
  if (!template) return [];
  const name = template.metadata.labels['app.kubernetes.io/name'];
  const { containers: main, initContainers = [] } = template.spec;
  return [
    ...main.map((container: Container) => ({ name, pod: template.spec, container })),
    ...initContainers.map((container: Container) => ({ name: container.name, pod: template.spec, container })),
  ];
});
const ours = containers.filter(({ container }) => isOurs((container as Any).image));
/** In compose an operator runs the audit, the nightly backup and the list of erasures as commands of the services `migrate` and `data`. */
const inCompose = (name: string) => services[{ audit: 'migrate', backup: 'data', erasures: 'data' }[name] ?? name];

const variablesOf = ({ env = [], envFrom = [] }: Container): string[] => [
  ...envFrom.flatMap(({ configMapRef }) => Object.keys(configs.get(configMapRef.name) ?? {})),
  ...env.map(({ name }) => name),
];
const OF_ERASURES = ['auth/TOMBSTONE_KEY', 'ca', 'jobs/MONGODB_URI'];
/** A pod's own number, and variables that all pods get whether they read them or not. */
const OF_PODS = ['CORD_REPLICA', 'POD_NAME'];

describe.skipIf(!canRender)('Kubernetes and compose', () => {
  test('run the same programs under the same names', () => {
    expect(ours.length).toBeGreaterThan(10);
    for (const { name, container } of ours) {
      if (name === 'audit')
        expect(text('compose/README.md')).toContain(`run --rm migrate ${container.args?.join(' ')}`);
      // A pod for an operator's commands, with a container for each of them.
      else if (name === 'data')
        expect([container.command, inCompose(name).command[1]]).toEqual([['sleep', 'infinity'], name]);
      else if (name === 'backup' || name === 'erasures')
        expect(container.args?.slice(0, 2)).toEqual(inCompose(name).command);
      else if (name === 'keys') expect(container.args?.slice(0, 2)).toEqual(inCompose(name).command);
      else expect(container.args, name).toEqual(inCompose(name).command);
    }
  });

  test('have the same variables', () => {
    for (const { name, container } of ours) {
      const given = new Set(variablesOf(container).filter((one) => !OF_PODS.includes(one)));
      const known = Object.keys(inCompose(name).environment);
      expect(
        [...given].filter((one) => !known.includes(one)),
        name,
      ).toEqual([]);
    }
  });

  test('mount the same secret files', () => {
    for (const { name, pod, container } of ours) {
      const mounts = (inCompose(name).volumes ?? []).filter((one: string) => one.startsWith('./secrets/'));
      const files: string[] = mounts.map((one: string) => one.split(':')[0]?.replace('./secrets/', ''));
      // An export needs a passphrase but no NATS; a list of erasures needs no secret but its key.
      const ofExport = [...files.filter((one) => one !== 'jobs/NATS_URL'), 'backup'];
      const wanted = { backup: ofExport, erasures: OF_ERASURES }[name] ?? files;
      expect(secretsIn(pod, container).sort(), name).toEqual(wanted.sort());
    }
  });

  test('use the same ports and readiness path', () => {
    for (const { name, container } of ours.filter((one) => one.container.readinessProbe)) {
      const { path, port } = container.readinessProbe.httpGet;
      const number = container.ports?.find((one) => one.name === port)?.containerPort;
      expect(inCompose(name).healthcheck.test.at(-1), name).toBe(`http://127.0.0.1:${number}${path}`);
    }
    const nats = containers.find(({ name }) => name === 'nats')?.container;
    expect(nats?.ports?.map(({ containerPort }) => containerPort)).toEqual([4222, 6222]);
    const check = services['nats-0'].healthcheck.test;
    expect(check).toMatch(/^\/usr\/bin\/nc -z 127\.0\.0\.1 4222 && /);
    expect(check).toContain(`${nats?.readinessProbe.exec?.command.at(-1)} `);
    expect(nats?.args).toEqual(services['nats-0'].command);
  });

  test('write to the same paths', () => {
    for (const { name, container } of ours) {
      const written = container.volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath);
      const { volumes = [], tmpfs } = inCompose(name);
      const also = volumes.filter((one: string) => !one.endsWith(':ro')).map((one: string) => one.split(':')[1]);
      const folders = [...also, ...tmpfs.map((one: string) => one.split(':')[0])];
      // The journals are in the volume of the modules, which the preceding job may write completely.
      expect(new Set([...written, ...(name === 'modules' ? ['/modules/.lines'] : [])]), name).toEqual(new Set(folders));
    }
  });

  test('limit memory alike', () => {
    const bytes = (limit: string) => Number.parseInt(limit, 10) * (/g/i.test(limit) ? 1024 : 1);
    for (const { name, container } of [...ours, ...containers.filter((one) => one.name === 'nats')]) {
      const service = name === 'nats' ? services['nats-0'] : inCompose(name);
      expect(bytes((container as Any).resources.limits.memory), name).toBe(bytes(service.mem_limit));
    }
  });

  test('have the same grace period and user', () => {
    for (const { name, pod } of ours.filter((one) => one.container.readinessProbe)) {
      expect(`${pod.terminationGracePeriodSeconds}s`, name).toBe(inCompose(name).stop_grace_period);
      expect(text('images/Dockerfile')).toContain(
        `USER ${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`,
      );
    }
  });
});
