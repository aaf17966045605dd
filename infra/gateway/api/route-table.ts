import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { type Route, routesOf } from '@cord/contracts/openapi';
import { boundedText } from '@cord/kit/http/bounded-body';
import { jsonIn } from '@cord/kit/json';
import type { Log } from '@cord/kit/log';
import { z } from 'zod';
import { declaredOwners, documentOf, ownersOf, type RefusedRoute } from './route-owners.js';
import { type Leaf, pathsOf, shapeOf } from './routes.js';
import type { Replica, Upstreams } from './upstreams.js';

const READ_TIMEOUT_MS = 2_000;
/** Of the calls of a service; the longest list has some 150 KiB. */
const ROUTES_BYTES_MAX = 2 * 1024 * 1024;
/** Calls of a service; the largest has some 50. Each is compared with all others. */
const ROUTES_MAX = 500;

/** What the page of the document cannot do without. */
const operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().optional(),
  requestBody: z.looseObject({ content: z.looseObject({}) }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const routesAnswer = z.object({
  routes: z
    .array(
      z.object({
        method: z.string().regex(/^[A-Z]+$/),
        path: z.string().startsWith('/').max(200),
        // A call is reached whatever its documentation is; what is no operation is not in the document.
        docs: operation.optional().catch(undefined),
      }),
    )
    .max(ROUTES_MAX),
});

/** The calls that a replica has listed. */
interface Listed {
  /** The life of the replica in which it listed them. */
  life: string;
  /** Undefined where the answer lists none: then it has those of the contract. */
  routes: readonly Route[] | undefined;
  /** `GET /users/:` */
  calls: ReadonlySet<string> | undefined;
}

const callOf = (method: string, shape: string) => `${method === 'HEAD' ? 'GET' : method} ${shape}`;

/**
 * The table of owners, made from the calls that each service lists when it comes or changes; a service that has not listed
 * any yet has those of the contract, one that is away keeps its last. So a new call needs no new gateway.
 */
export class RouteTable {
  readonly #upstreams: Upstreams<string>;
  readonly #log: Pick<Log, 'warn' | 'info'>;
  readonly #listed = new WeakMap<Replica, Listed>();
  readonly #declared: ReadonlyMap<ServiceName, readonly Route[]>;
  readonly #declaredOwners: ReadonlyMap<string, ServiceName>;
  #routes = new Map<ServiceName, readonly Route[]>();
  #owners: ReadonlyMap<string, ServiceName> = new Map();
  #find: (path: string) => Leaf<ServiceName> | undefined = () => undefined;
  #refused: readonly RefusedRoute[] = [];
  /** Calls that need no sign-in, by owner. */
  #public: ReadonlySet<string> = new Set();
  #document: ReturnType<typeof documentOf> | undefined;
  /** Services that have listed their calls once. */
  readonly #known = new Set<ServiceName>();
  /** Of all replicas and their lives at the last look. */
  #signature = '';

  /** @param upstreams after each of whose probes the calls of new replicas are read */
  constructor(upstreams: Upstreams<string>, log: Pick<Log, 'warn' | 'info'>, declared = declaredRoutes()) {
    this.#upstreams = upstreams;
    this.#log = log;
    this.#declared = declared;
    this.#declaredOwners = declaredOwners(declared);
    this.#routes = new Map(declared);
    this.#arrange();
    upstreams.afterProbe(() => this.#readAll());
  }

  /** Which service answers a path below /api; undefined when none does. */
  find(path: string): Leaf<ServiceName> | undefined {
    return this.#find(path);
  }

  /** Whether a replica answers this call, as far as it has listed: two releases side by side need not have the same. */
  has(replica: Replica, method: string, shape: string): boolean {
    return this.#listed.get(replica)?.calls?.has(callOf(method, shape)) ?? true;
  }

  /** Whether a call needs no sign-in: its service keeps no answer of it, whoever makes it (`takesKey`). */
  isPublic(owner: ServiceName, method: string, shape: string): boolean {
    return this.#public.has(`${owner} ${callOf(method, shape)}`);
  }

  /** Whether a replica has listed its routes in its present life. */
  hasListed(replica: Replica): boolean {
    return replica.life !== null && this.#listed.get(replica)?.life === replica.life;
  }

  /** Whether a service has never listed its calls, so that nobody knows yet whose an unknown path is. */
  isWaiting(): boolean {
    return SERVICES.some((service) => {
      const replicas = this.#upstreams.of(service);
      return replicas.length > 0 && !this.#known.has(service);
    });
  }

  /** Paths that a service lists and another one owns; calls of them go to the owner. */
  get refused(): readonly RefusedRoute[] {
    return this.#refused;
  }

  /** The API document; the same object until something changes. */
  get document(): ReturnType<typeof documentOf> {
    this.#document ??= documentOf(this.#routes, this.#owners);
    return this.#document;
  }

  async #readAll(): Promise<void> {
    const replicas = SERVICES.flatMap((service) =>
      this.#upstreams.of(service).map((replica) => ({ service, replica })),
    );
    const changed = await Promise.all(replicas.map(({ replica }) => this.#read(replica)));
    for (const { service, replica } of replicas) if (this.#listed.has(replica)) this.#known.add(service);
    // A replica that went away also takes what only its release had.
    const signature = replicas.map(({ replica }) => `${replica.url} ${this.#listed.get(replica)?.life}`).join();
    if (!changed.includes(true) && signature === this.#signature) return;
    this.#signature = signature;
    for (const service of SERVICES) this.#merge(service);
    this.#arrange();
  }

  /** @returns whether its list is new */
  async #read(replica: Replica): Promise<boolean> {
    const { life } = replica;
    const before = this.#listed.get(replica);
    if (life === null || (before && before.life === life)) return false;
    const text = life === '' ? '' : await textAt(`${replica.opsUrl}/routes`);
    // Read again at the next probe.
    if (text === undefined) return false;
    const parsed = life === '' ? undefined : routesAnswer.safeParse(jsonIn(text));
    if (parsed?.success === false) this.#log.warn({ url: replica.url, err: parsed.error }, 'these are no routes');
    const routes = parsed?.data?.routes as Route[] | undefined;
    const calls = routes && new Set(routes.map(({ method, path }) => callOf(method, shapeOf(path))));
    this.#listed.set(replica, { life, routes, calls });
    return true;
  }

  /** The routes of a service are those of its replicas together; while none is there, the last. */
  #merge(service: ServiceName): void {
    const listed = this.#upstreams.of(service).flatMap((replica) => this.#listed.get(replica) ?? []);
    if (listed.length === 0) return;
    const routes = listed.flatMap((one) => one.routes ?? this.#declared.get(service) ?? []);
    // The newest replicas stand last: their description of a call goes into the document.
    const byCall = new Map(routes.map((route) => [callOf(route.method, shapeOf(route.path)), route]));
    this.#routes.set(service, [...byCall.values()]);
  }

  #arrange(): void {
    const { owners, refused } = ownersOf(this.#routes, this.#owners, this.#declaredOwners);
    const known = new Set(this.#refused.map(textOf));
    for (const one of refused)
      if (!known.has(textOf(one))) {
        const { path, service: refused, owner } = one;
        this.#log.warn({ path, refused, owner }, 'a route is refused: another service owns it');
      }
    this.#owners = owners;
    this.#refused = refused;
    this.#find = pathsOf(owners);
    this.#public = new Set(
      [...this.#routes].flatMap(([owner, routes]) =>
        routes
          .filter(({ docs }) => Array.isArray(docs?.security) && docs.security.length === 0)
          .map(({ method, path }) => `${owner} ${callOf(method, shapeOf(path))}`),
      ),
    );
    this.#document = undefined;
  }
}

/** What every service has by the contract that the gateway was built with. */
function declaredRoutes(): ReadonlyMap<ServiceName, readonly Route[]> {
  return new Map(SERVICES.map((service) => [service, routesOf(service)]));
}

async function textAt(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    const text = await boundedText(answer, ROUTES_BYTES_MAX);
    return answer.ok ? text : undefined;
  } catch {
    return undefined;
  }
}

function textOf({ path, service, owner }: RefusedRoute): string {
  return `${path} ${service} ${owner}`;
}
