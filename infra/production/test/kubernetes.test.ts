import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SERVICES } from '@cord/contracts/endpoint';
import { SHUTDOWN_MS_MAX } from '@cord/kit/bounds';
import { describe, expect, test } from 'vitest';
import { type Any, below, HERE, isOurs, isPinned, ROOT, unread, yaml } from './files.js';

const files = below('kubernetes').filter((path) => path.endsWith('.yaml'));
const kustomizations = files.filter((path) => path.endsWith('kustomization.yaml'));
const objects = files.filter((path) => !kustomizations.includes(path)).flatMap(yaml);
const whole = objects.filter(({ metadata, spec }) => !(metadata.name === 'modules' && spec.storageClassName));
const overlay = yaml('kubernetes/overlays/production/kustomization.yaml')[0];

/** Everything that runs: its pod and what it is called. */
const workloads = whole.flatMap((one): { name: string; kind: string; pod: Any }[] => {
  const template = one.kind === 'CronJob' ? one.spec.jobTemplate.spec.template : one.spec?.template;
  return template ? [{ name: one.metadata.name, kind: one.kind, pod: template.spec }] : [];
});
const ours = workloads.filter(({ pod }) => isOurs(pod.containers[0].image));

const require = createRequire(import.meta.url);
const SCHEMAS = join(dirname(require.resolve('kubernetes-models')), '_schemas');

/** What a schema says of an object; fields that it never looks at are none. */
function problemsOf(object: Any): string[] {
  const { apiVersion, kind } = object;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const title = (word: string) => word.replace(/(^|\.)[a-z]/g, (letter) => letter.replace('.', '').toUpperCase());
  const path = title(group.split('.')[0]) + title(version) + kind;
  const { validate } = require(`${SCHEMAS}/IoK8sApi${path}.js`);
  const seen = new Set<string>();
  const valid = validate(watched(object, '', seen));
  const broken = valid ? [] : validate.errors.map(({ instancePath, message }: Any) => `${instancePath} ${message}`);
  const unknown = paths(object, '').filter((one) => !seen.has(one));
  return [...broken, ...unknown.map((one) => `${one} is no field`)];
}

function watched(value: Any, path: string, seen: Set<string>): Any {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const inner = target[key];
      if (typeof key === 'symbol' || typeof inner === 'function') return inner;
      seen.add(`${path}/${key}`);
      return watched(inner, `${path}/${key}`, seen);
    },
  });
}

function paths(value: Any, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${path}/${key}`, ...paths(inner, `${path}/${key}`)]);
}

describe('Kubernetes', () => {
  test('every object fits the schema of its kind, without a field that is none', () => {
    for (const one of objects) expect(problemsOf(one), `${one.kind} ${one.metadata.name}`).toEqual([]);
    const broken = structuredClone(workloads.length > 0 && whole.find(({ kind }) => kind === 'Deployment'));
    broken.spec.template.spec.containers[0].readinesProbe = {};
    broken.spec.replicas = 'two';
    expect(problemsOf(broken)).toEqual([
      expect.stringContaining('/spec/replicas'),
      '/spec/template/spec/containers/0/readinesProbe is no field',
    ]);
  });

  test('what is listed is there, and what is there is listed', () => {
    const listed = kustomizations.flatMap((file) => {
      const { resources = [], patches = [], configMapGenerator = [] } = yaml(file)[0];
      const named = [...resources, ...patches.map(({ path }: Any) => path)];
      const made = configMapGenerator.flatMap((one: Any) => one.files ?? []);
      return [...named, ...made].map((one: string) => join(file, '..', one));
    });
    for (const path of listed) expect(existsSync(`${HERE}${path}`), path).toBe(true);
    expect(listed).toEqual(expect.arrayContaining(files.filter((path) => !kustomizations.includes(path))));
    const images = [...new Set(ours.map(({ pod }) => pod.containers[0].image))].sort();
    expect(overlay.images.map(({ name }: Any) => name).sort()).toEqual(images);
  });

  test('every service, the gateway and the jobs run, and every image of others is pinned', () => {
    const names = ours.map(({ name }) => name).sort();
    expect(names).toEqual([...SERVICES, 'audit', 'gateway', 'keys', 'migrate', 'topology'].sort());
    for (const { pod } of workloads)
      for (const { image } of pod.containers) expect(isOurs(image) || isPinned(image), image).toBe(true);
    for (const { newTag } of overlay.images) expect(isPinned(`cord:${newTag}`)).toBe(true);
  });

  test('nothing runs as root, writes to its root or has a right', () => {
    for (const { name, pod } of workloads) {
      expect(pod, name).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(pod.securityContext, name).toMatchObject({
        ...{ runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext, resources } of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect(securityContext).toEqual({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        });
        expect(resources).toMatchObject({ requests: { cpu: expect.stringMatching(/^\d+m$/) } });
        expect(resources.limits.memory).toMatch(/^\d+(Mi|Gi)$/);
      }
    }
  });

  test('every variable is read by who gets it', () => {
    const literals = new Map<string, string[]>(
      overlay.configMapGenerator.map(({ name, literals: lines }: Any) => [
        name,
        lines.map((line: string) => line.split('=')[0]),
      ]),
    );
    for (const { name, pod } of ours) {
      const [{ env = [], envFrom = [], args = [] }] = pod.containers;
      const who = args[0] ?? name;
      expect(
        unread(
          who,
          env.map((one: Any) => one.name),
        ),
        name,
      ).toEqual([]);
      for (const { configMapRef } of envFrom) {
        const given = literals.get(configMapRef.name);
        expect(given ?? configMapRef.optional, `${name} ${configMapRef.name}`).toBeTruthy();
        // What all get some need not read.
        if (given && configMapRef.name !== 'cord') expect(unread(who, given), configMapRef.name).toEqual([]);
      }
    }
    expect(unread('auth', literals.get('cord') ?? [])).toEqual([]);
  });

  test('every program of a pod is a file of the checkout, and every mount has a volume', () => {
    for (const { name, pod } of ours) {
      const containers = [...pod.containers, ...(pod.initContainers ?? [])];
      for (const { args = [], volumeMounts, env = [] } of containers) {
        for (const file of args.slice(0, 1)) expect(existsSync(`${ROOT}${file}`), `${name} ${file}`).toBe(true);
        for (const mount of volumeMounts)
          expect(
            pod.volumes.map((one: Any) => one.name),
            name,
          ).toContain(mount.name);
        const folders = volumeMounts.map(({ mountPath }: Any) => `${mountPath}/`);
        for (const one of env.filter((variable: Any) => /_FILE$|_CERTS$/.test(variable.name)))
          expect(
            folders.some((folder: string) => one.value.startsWith(folder)),
            one.value,
          ).toBe(true);
      }
    }
  });

  test('probes ask what the code answers, where it listens', () => {
    const opsRoutes = readFileSync(`${ROOT}services/kit/http/ops-routes.ts`, 'utf8');
    const inside = readFileSync(`${ROOT}infra/gateway/metrics.ts`, 'utf8');
    for (const { name, pod, kind } of ours.filter((one) => one.kind !== 'Job' && one.kind !== 'CronJob')) {
      const [{ ports, startupProbe, livenessProbe, readinessProbe }] = pod.containers;
      const source = name === 'gateway' ? inside : opsRoutes;
      expect(kind).toBe(name === 'gateway' ? 'Deployment' : 'StatefulSet');
      const asked = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
      expect(asked.map(({ path }) => path)).toEqual(['/readyz', '/livez', '/readyz']);
      for (const { path, port } of asked) {
        expect(source).toContain(`'${path}'`);
        expect(ports.find((one: Any) => one.name === port).containerPort).toBe(name === 'gateway' ? 9090 : 8081);
      }
    }
  });

  test('who stops is unready for two probes, and has time to end', () => {
    const { literals } = overlay.configMapGenerator.find(({ name }: Any) => name === 'cord');
    const drainMs = Number(literals.find((line: string) => line.startsWith('DRAIN_MS=')).split('=')[1]);
    for (const { pod } of ours.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')) {
      expect(drainMs).toBeGreaterThanOrEqual(2_000 * pod.containers[0].readinessProbe.periodSeconds);
      expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainMs + SHUTDOWN_MS_MAX);
    }
  });

  test('what may be many has a scaler, a budget and a spread; each pod has a policy', () => {
    const named = (kind: string) => whole.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
    for (const { name, pod } of ours.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')) {
      expect(named('HorizontalPodAutoscaler')).toContain(name);
      expect(named('PodDisruptionBudget')).toContain(name);
      expect(pod.topologySpreadConstraints).toHaveLength(2);
    }
    expect(named('NetworkPolicy').sort()).toEqual(['default-deny', ...workloads.map(({ name }) => name)].sort());
    for (const { spec } of whole.filter(({ kind }) => kind === 'Job'))
      expect(spec.ttlSecondsAfterFinished).toBeGreaterThan(0);
  });

  test('who may name another as the client is a range of pods, and only such pods come through', () => {
    const ranges = overlay.configMapGenerator.flatMap(({ literals }: Any) =>
      literals.flatMap((line: string) => /^TRUSTED_PROXIES=(.*)$/.exec(line)?.[1]?.split(',') ?? []),
    );
    expect(ranges).toHaveLength(2);
    for (const range of ranges) expect(Number(range.split('/')[1]), range).toBeGreaterThanOrEqual(16);
    const callersOf = (name: string) => {
      const { spec } = whole.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name) as Any;
      const calls = spec.ingress.filter(({ ports }: Any) => ports.some(({ port }: Any) => port === 8080));
      return calls.flatMap(({ from }: Any) => from);
    };
    const gateway = { 'app.kubernetes.io/name': 'gateway', 'app.kubernetes.io/part-of': 'cord' };
    for (const name of SERVICES) expect(callersOf(name)).toEqual([{ podSelector: { matchLabels: gateway } }]);
    const ingress = { 'kubernetes.io/metadata.name': 'ingress-nginx' };
    expect(callersOf('gateway')).toEqual([{ namespaceSelector: { matchLabels: ingress } }]);
  });

  test('a gateway writes the journals of what is published, and no file of it', () => {
    const gateway = workloads.find(({ name }) => name === 'gateway') as (typeof workloads)[number];
    const mounts = gateway.pod.containers[0].volumeMounts.filter((one: Any) => one.name === 'modules');
    expect(mounts).toEqual([
      { name: 'modules', mountPath: '/modules', readOnly: true },
      { name: 'modules', mountPath: '/modules/.lines', subPath: '.lines' },
    ]);
  });

  test('no secret is in any file', () => {
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const path of [...below('kubernetes'), ...below('compose').filter((one) => !one.includes('/secrets/'))]) {
      const content = readFileSync(`${HERE}${path}`, 'utf8');
      expect(content, path).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^\s/:@]+:[^\s/@]+@|\b[0-9a-f]{64}\b/);
    }
  });
});
