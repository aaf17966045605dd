import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { SERVICES } from '@cord/contracts/endpoint';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { SHUTDOWN_MS_MAX } from '@cord/kit/bounds';
import { describe, expect, test } from 'vitest';
import { NATS_MONITOR } from '../made/nats.js';
import {
  type Any,
  below,
  canRender,
  HERE,
  isOurs,
  isPinned,
  programOf,
  ROOT,
  rendered,
  SECRETS_DIR,
  secretsIn,
  unread,
  whoRuns,
} from './files.js';
import { problemsOf } from './schemas.js';

/** All objects sent by `kubectl apply -k`; none without a suitable kubectl. */
const objects = canRender ? rendered('kubernetes/overlays/production') : [];

/** All workloads: the pod, and its name in policies and in the table of variables. */
const workloads = objects.flatMap((one): { name: string; kind: string; pod: Any; labels: Record<string, string> }[] => {
  const template = one.kind === 'CronJob' ? one.spec.jobTemplate.spec.template : one.spec?.template;
  if (!template) return [];
  const { labels } = template.metadata;
  return [{ name: labels['app.kubernetes.io/name'], kind: one.kind, pod: template.spec, labels }];
});
const ours = workloads.filter(({ pod }) => isOurs(pod.containers[0].image));
/** All pods that policies select: those here, and those of a MongoDB run by its operator. */
const pods = [...workloads, { name: 'mongodb', labels: { 'app.kubernetes.io/name': 'mongodb' } }];
const replicated = ours.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment');
const named = (kind: string) => objects.filter((one) => one.kind === kind);
const configs = new Map<string, Record<string, string>>(
  named('ConfigMap').map(({ metadata, data }) => [metadata.name, data]),
);

/** Whether a label selector matches a pod. */
function selects({ matchLabels = {}, matchExpressions = [] }: Any, labels: Record<string, string>): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }: Any) => operator === 'In' && values.includes(labels[key]))
  );
}

/** Returns the policies of a pod. */
function policiesOf(labels: Record<string, string>): Any[] {
  return named('NetworkPolicy').filter(({ spec }) => selects(spec.podSelector, labels));
}

/** Returns our pods and ports that a pod may call, and other ranges and namespaces. */
function reach(labels: Record<string, string>): string[] {
  const rules = policiesOf(labels).flatMap(({ spec }) => spec.egress ?? []);
  return rules
    .flatMap(({ to, ports }: Any) => to.flatMap((peer: Any) => peersOf(peer).map((one) => `${one}:${portsOf(ports)}`)))
    .sort();
}

function peersOf({ ipBlock, namespaceSelector, podSelector }: Any): string[] {
  if (ipBlock) return ['outside'];
  if (namespaceSelector) return [namespaceSelector.matchLabels['kubernetes.io/metadata.name']];
  return pods.filter(({ labels }) => selects(podSelector, labels)).map(({ name }) => name);
}

const portsOf = (ports: Any[]) => ports.map(({ port }) => port).join('+');

describe.skipIf(!canRender)('Kubernetes, as kubectl renders it', () => {
  test('has only objects that are valid by the schema of their kind, without unknown fields', () => {
    for (const one of objects) expect(problemsOf(one), `${one.kind} ${one.metadata.name}`).toEqual([]);
    const broken = structuredClone(named('Deployment')[0]);
    broken.spec.template.spec.containers[0].readinesProbe = {};
    broken.spec.replicas = 'two';
    expect(problemsOf(broken)).toEqual([
      expect.stringContaining('/spec/replicas'),
      '/spec/template/spec/containers/0/readinesProbe is not a field',
    ]);
  });

  test('runs every service, the gateway and the jobs, with pinned images', () => {
    const names = ours.map(({ name }) => name).sort();
    expect(names).toEqual(
      [
        ...SERVICES,
        'audit',
        'audit-chain',
        'backup',
        'data',
        'erasures',
        'gateway',
        'keys',
        'migrate',
        'topology',
      ].sort(),
    );
    for (const { pod } of workloads) for (const { image } of pod.containers) expect(isPinned(image), image).toBe(true);
  });

  test('selects with each service, autoscaler and disruption budget the pods of that service only', () => {
    for (const name of SERVICES) {
      const of = (kind: string) => named(kind).find(({ metadata }) => metadata.name === `cord-${name}`) as Any;
      const { labels } = workloads.find((one) => one.name === name) as (typeof workloads)[number];
      const set = of('StatefulSet');
      expect(set.spec.serviceName).toBe(`cord-${name}`);
      expect(of('HorizontalPodAutoscaler').spec.scaleTargetRef.name).toBe(`cord-${name}`);
      const selectors = [
        { matchLabels: of('Service').spec.selector },
        set.spec.selector,
        of('PodDisruptionBudget').spec.selector,
      ];
      for (const selector of selectors) {
        const taken = workloads.filter((one) => selects(selector, one.labels)).map((one) => one.name);
        expect(taken, name).toEqual([name]);
      }
      for (const { labelSelector, matchLabelKeys } of set.spec.template.spec.topologySpreadConstraints) {
        expect(selects(labelSelector, labels)).toBe(true);
        expect(matchLabelKeys).toEqual(['app.kubernetes.io/name']);
      }
    }
  });

  test('gives the gateway the address of every service', () => {
    const gateway = workloads.find(({ name }) => name === 'gateway') as (typeof workloads)[number];
    const { value } = gateway.pod.containers[0].env.find((one: Any) => one.name === 'UPSTREAMS');
    expect(JSON.parse(value)).toEqual(Object.fromEntries(SERVICES.map((name) => [name, [`http://cord-${name}:8080`]])));
  });

  test('runs nothing as root, with a writable root or with privileges', () => {
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

  test('sets only variables that their process reads, and mounts every secret of a service', () => {
    for (const { name, pod } of ours) {
      const [{ env = [], envFrom = [], args = [] }] = pod.containers;
      const variables: string[] = env.map((one: Any) => one.name);
      const who = name === 'data' ? 'infra/cli/data.ts' : (whoRuns(args) ?? name);
      if (SERVICES.includes(name as (typeof SERVICES)[number])) expect(who).toBe(name);
      const ofArguments = args.flatMap((one: string) => /\$\((\w+)\)/.exec(one)?.[1] ?? []);
      expect(unread(who, variables), name).toEqual(ofArguments);
      for (const { configMapRef } of envFrom) {
        const given = configs.get(configMapRef.name);
        expect(given, `${name} ${configMapRef.name}`).toBeDefined();
        // Variables given to every pod need not be read by each.
        if (!('PUBLIC_ORIGIN' in (given ?? {})))
          expect(unread(name, Object.keys(given ?? {})), configMapRef.name).toEqual([]);
      }
      const secrets = secretsIn(pod, pod.containers[0]).filter((one) => !['ca', 'backup'].includes(one));
      const isWhole = [...SERVICES, 'gateway'].includes(name);
      expect(isWhole ? secrets : [], name).toEqual(isWhole ? [name] : []);
      if (!isWhole)
        expect(
          unread(
            who,
            secrets.map((one) => basename(one)),
          ),
          name,
        ).toEqual([]);
    }
    const [common = {}] = [...configs.values()].filter((data) => 'PUBLIC_ORIGIN' in data);
    expect(unread('auth', Object.keys(common))).toEqual([]);
  });

  test('starts only files of the checkout, and has a volume for every mount', () => {
    for (const { name, pod } of ours) {
      const containers = [...pod.containers, ...(pod.initContainers ?? [])];
      for (const { args = [], volumeMounts, env = [] } of containers) {
        const file = programOf(args);
        if (file) expect(existsSync(`${ROOT}${file}`), `${name} ${file}`).toBe(true);
        for (const mount of volumeMounts)
          expect(
            pod.volumes.map((one: Any) => one.name),
            name,
          ).toContain(mount.name);
        const folders = volumeMounts.map(({ mountPath }: Any) => `${mountPath}/`);
        const paths = env.filter((variable: Any) => /_CERTS$|^SECRETS_DIR$/.test(variable.name));
        for (const { value } of paths)
          expect(
            folders.some((folder: string) => `${value}/`.startsWith(folder)),
            value,
          ).toBe(true);
        const own = volumeMounts.find((mount: Any) => mount.name === 'own')?.mountPath;
        expect(own, name).toBe(env.find((variable: Any) => variable.name === 'SECRETS_DIR')?.value);
      }
      expect(containers[0].env, name).toContainEqual({ name: 'SECRETS_DIR', value: SECRETS_DIR });
    }
  });

  test('probes existing endpoints on the right ports', () => {
    const opsRoutes = readFileSync(`${ROOT}services/kit/http/ops-routes.ts`, 'utf8');
    const inside = readFileSync(`${ROOT}infra/gateway/metrics.ts`, 'utf8');
    for (const { name, pod, kind } of replicated) {
      const [{ ports, startupProbe, livenessProbe, readinessProbe }] = pod.containers;
      const source = name === 'gateway' ? inside : opsRoutes;
      expect(kind).toBe(name === 'gateway' ? 'Deployment' : 'StatefulSet');
      const probes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
      expect(probes.map(({ path }) => path)).toEqual(['/readyz', '/livez', '/readyz']);
      for (const { path, port } of probes) {
        expect(source).toContain(`'${path}'`);
        expect(ports.find((one: Any) => one.name === port).containerPort).toBe(name === 'gateway' ? 9090 : 8081);
      }
    }
  });

  test('probes NATS inside its pod, and any HTTP response, even 503, as alive', () => {
    const [{ ports, livenessProbe, readinessProbe }] = (workloads.find(({ name }) => name === 'nats') as Any).pod
      .containers;
    expect(/^http: "(.+)"$/m.exec(readFileSync(`${HERE}kubernetes/base/nats/nats.conf`, 'utf8'))?.[1]).toBe(
      NATS_MONITOR,
    );
    expect(NATS_MONITOR).toMatch(/^127\.0\.0\.1:/);
    expect(ports.map(({ containerPort }: Any) => containerPort)).toEqual([4222, 6222]);
    for (const { exec } of [livenessProbe, readinessProbe])
      expect(exec.command.join(' ')).toContain(`http://${NATS_MONITOR}/healthz`);
    const [shell = '', ...args] = livenessProbe.exec.command as string[];
    const isAlive = (answer: string) => {
      // Simulates the output of wget for each response.
      const script = `wget() { ${answer}; }; ${args[1]}`;
      return spawnSync(shell, ['-c', script]).status === 0;
    };
    expect(isAlive('echo "  HTTP/1.1 200 OK" >&2')).toBe(true);
    expect(isAlive('echo "wget: server returned error: HTTP/1.1 503 Service Unavailable" >&2; return 1')).toBe(true);
    expect(isAlive('echo "wget: cannot connect to remote host (127.0.0.1): Connection refused" >&2; return 1')).toBe(
      false,
    );
  });

  test('keeps a stopping pod unready for two probes, with time to shut down', () => {
    const drainMs = Math.max(...[...configs.values()].map(({ DRAIN_MS = '0' }) => Number(DRAIN_MS)));
    for (const { pod } of replicated) {
      expect(drainMs).toBeGreaterThanOrEqual(2_000 * pod.containers[0].readinessProbe.periodSeconds);
      expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainMs + SHUTDOWN_MS_MAX);
    }
    for (const { spec } of named('Job')) expect(spec.ttlSecondsAfterFinished).toBeGreaterThan(0);
  });

  test('lets a pod reach what its manifest and its work need, and nothing else', () => {
    const store = ['mongodb:27017', 'mongodb:27017'];
    const [dns, nats, traces] = ['kube-system:53+53', 'nats:4222', 'monitoring:4318'];
    for (const { name, labels } of pods) {
      const outside = (MANIFESTS as Any)[name]?.outside?.length > 0 ? ['outside:443'] : [];
      const wanted: Record<string, string[]> = {
        gateway: [...SERVICES.map((service) => `${service}:8080+8081`), nats, traces],
        nats: ['nats:6222'],
        mongodb: ['mongodb:27017'],
        topology: [nats],
        migrate: store,
        audit: store,
        'audit-chain': [...store, 'outside:443'],
        keys: store,
        backup: store,
        erasures: store,
        // A backup reads documents; a restore also recreates the streams.
        data: [nats, ...store],
      };
      const service = [nats, traces, ...store, ...outside];
      expect(reach(labels), name).toEqual([dns, ...(wanted[name] ?? service)].sort());
    }
  });

  test('lets only the named callers reach a pod, and trusts client addresses from ranges of pods', () => {
    const callers = (name: string) => {
      const { labels } = pods.find((one) => one.name === name) as (typeof pods)[number];
      const rules = policiesOf(labels).flatMap(({ spec }) => spec.ingress ?? []);
      return rules.flatMap(({ from, ports }: Any) =>
        from.flatMap((peer: Any) => peersOf(peer).map((one) => `${one}:${portsOf(ports)}`)),
      );
    };
    for (const name of SERVICES) expect(callers(name), name).toEqual(['gateway:8080+8081', 'monitoring:8081']);
    expect(callers('gateway')).toEqual(['ingress-nginx:8080', 'monitoring:9090']);
    expect(callers('nats').sort()).toEqual(
      [...[...SERVICES, 'gateway', 'topology', 'data'].map((name) => `${name}:4222`), 'nats:6222'].sort(),
    );
    expect(callers('mongodb').sort()).toEqual(
      [...SERVICES, 'migrate', 'audit', 'audit-chain', 'keys', 'data', 'backup', 'erasures', 'mongodb']
        .map((name) => `${name}:27017`)
        .sort(),
    );
    for (const name of ['migrate', 'topology', 'audit', 'audit-chain', 'keys', 'data', 'backup', 'erasures'])
      expect(callers(name), name).toEqual([]);
    const ranges = [...configs.values()].flatMap(({ TRUSTED_PROXIES: list }) => list?.split(',') ?? []);
    expect(ranges).toHaveLength(2);
    for (const range of ranges) expect(Number(range.split('/')[1]), range).toBeGreaterThanOrEqual(16);
  });

  test('lets the gateway write only the journals of the modules', () => {
    const gateway = workloads.find(({ name }) => name === 'gateway') as (typeof workloads)[number];
    const mounts = gateway.pod.containers[0].volumeMounts.filter((one: Any) => one.name === 'modules');
    expect(mounts).toEqual([
      { name: 'modules', mountPath: '/modules', readOnly: true },
      { name: 'modules', mountPath: '/modules/.lines', subPath: '.lines' },
    ]);
  });

  test('has an autoscaler, a disruption budget and spread constraints for every replicated workload', () => {
    for (const { name, pod } of replicated) {
      const full = name === 'gateway' ? name : `cord-${name}`;
      for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget'])
        expect(named(kind).map(({ metadata }) => metadata.name)).toContain(full);
      expect(pod.topologySpreadConstraints).toHaveLength(2);
    }
  });

  test('limits autoscalers to 32 replicas, and that of the leaderboard, which reads all events, to 4', () => {
    const most = named('HorizontalPodAutoscaler').map(({ metadata, spec }) => [metadata.name, spec.maxReplicas]);
    const wanted = ['gateway', ...SERVICES.map((name) => `cord-${name}`)].sort();
    expect(most.sort()).toEqual(wanted.map((name) => [name, name === 'cord-leaderboard' ? 4 : 32]));
  });

  test('mounts only secrets from folders that `secrets` creates', () => {
    const mounts = workloads.flatMap(({ pod }) => secretsIn(pod, pod.containers[0]));
    // The operator provides the passphrase of the nightly backup (the README of kubernetes).
    const folders = [...SERVICES, 'gateway', 'jobs', 'nats', 'ca', 'backup'];
    expect([...new Set(mounts.map((one) => one.split('/')[0]))].sort()).toEqual(folders.sort());
  });
});

test('no secret is in a file of the deployment', () => {
  for (const path of [...below('kubernetes'), ...below('compose').filter((one) => !one.includes('/secrets/'))]) {
    const content = readFileSync(`${HERE}${path}`, 'utf8');
    expect(content, path).not.toMatch(
      /BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^\s/:@]+:[^\s/@]+@|\b[0-9a-f]{64}\b|kind: Secret/,
    );
  }
});
