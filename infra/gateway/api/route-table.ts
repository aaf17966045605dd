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
/** Maximum size of a service's list of calls; the longest has about 150 KiB. */
const ROUTES_BYTES_MAX = 2 * 1024 * 1024;
/** Maximum number of calls of a service; the largest has about 50. Each is compared with all others. */
const ROUTES_MAX = 500;

/** The fields that the document page requires. */
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
        // A call is routed whatever its documentation is; an invalid operation is omitted from the document.
        docs: operation.optional().catch(undefined),
      }),
    )
    .max(ROUTES_MAX),
});

/** The calls listed by a replica. */
interface Listed {
  /** The life of the replica that listed them. */
  life: string;
  /** Undefined when the response lists none: then the contract's calls apply. */
  routes: readonly Route[] | undefined;
  /** `GET /users/:` */
  calls: ReadonlySet<string> | undefined;
}

const callOf = (method: string, shape: string) => `${method === 'HEAD' ? 'GET' : method} ${shape}`;

/**
 * The table of path owners, built from the calls that each service lists when it starts or changes. A service that has
 * not listed any uses those of the contract; one that is away keeps its last. A new call therefore needs no new gateway.
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
  /** Public calls, by owner. */
  #public: ReadonlySet<string> = new Set();
  #document: ReturnType<typeof documentOf> | undefined;
  /** Services that have listed their calls at least once. */
  readonly #known = new Set<ServiceName>();
  /** All replicas and their lives at the last read. */
  #signature = '';

  /** @param upstreams whose probes each trigger reading the calls of new replicas */
  constructor(upstreams: Upstreams<string>, log: Pick<Log, 'warn' | 'info'>, declared = declaredRoutes()) {
    this.#upstreams = upstreams;
    this.#log = log;
    this.#declared = declared;
    this.#declaredOwners = declaredOwners(declared);
    this.#routes = new Map(declared);
    this.#arrange();
    upstreams.afterProbe(() => this.#readAll());
  }

  /** Returns the service that owns a path below /api; undefined when none does. */
  find(path: string): Leaf<ServiceName> | undefined {
    return this.#find(path);
  }

  /** Whether a replica has this call, as far as it has listed: two releases running side by side may differ. */
  has(replica: Replica, method: string, shape: string): boolean {
    return this.#listed.get(replica)?.calls?.has(callOf(method, shape)) ?? true;
  }

  /** Whether a call is public: its service stores no response of it for any caller (`takesKey`). */
  isPublic(owner: ServiceName, method: string, shape: string): boolean {
    return this.#public.has(`${owner} ${callOf(method, shape)}`);
  }

  /** Whether a replica has listed its routes in its current life. */
  hasListed(replica: Replica): boolean {
    return replica.life !== null && this.#listed.get(replica)?.life === replica.life;
  }

  /** Whether a service has never listed its calls, so that the owner of an unknown path is uncertain. */
  isWaiting(): boolean {
    return SERVICES.some((service) => {
      const replicas = this.#upstreams.of(service);
      return replicas.length > 0 && !this.#known.has(service);
    });
  }

  /** Listed paths that another service owns; their calls go to the owner. */
  get refused(): readonly RefusedRoute[] {
    return this.#refused;
  }

  /** The API document; the same object until a change. */
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
    // A removed replica also removes calls that only its release had.
    const signature = replicas.map(({ replica }) => `${replica.url} ${this.#listed.get(replica)?.life}`).join();
    if (!changed.includes(true) && signature === this.#signature) return;
    this.#signature = signature;
    for (const service of SERVICES) this.#merge(service);
    this.#arrange();
  }

  /** Reads a replica's calls. @returns whether the list is new */
  async #read(replica: Replica): Promise<boolean> {
    const { life } = replica;
    const before = this.#listed.get(replica);
    if (life === null || (before && before.life === life)) return false;
    const text = life === '' ? '' : await textAt(`${replica.opsUrl}/routes`);
    // It is read again after the next probe.
    if (text === undefined) return false;
    const parsed = life === '' ? undefined : routesAnswer.safeParse(jsonIn(text));
    if (parsed?.success === false) this.#log.warn({ url: replica.url, err: parsed.error }, 'invalid list of routes');
    const routes = parsed?.data?.routes as Route[] | undefined;
    const calls = routes && new Set(routes.map(({ method, path }) => callOf(method, shapeOf(path))));
    this.#listed.set(replica, { life, routes, calls });
    return true;
  }

  /** Merges the routes of a service's replicas; without any replica, the last ones stay. */
  #merge(service: ServiceName): void {
    const listed = this.#upstreams.of(service).flatMap((replica) => this.#listed.get(replica) ?? []);
    if (listed.length === 0) return;
    const routes = listed.flatMap((one) => one.routes ?? this.#declared.get(service) ?? []);
    // The newest replicas come last, so their description of a call is used in the document.
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

/** Returns the routes of each service by the contract that the gateway was built with. */
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
