import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { type Route, routesOf } from '@cord/contracts/openapi';
import { jsonIn } from '@cord/kit/json';
import type { Log } from '@cord/kit/log';
import { z } from 'zod';
import { declaredOwners, documentOf, ownersOf, type RefusedRoute } from './route-owners.js';
import { type Leaf, pathsOf, shapeOf } from './routes.js';
import type { Replica, Upstreams } from './upstreams.js';

const ASK_TIMEOUT_MS = 2_000;

/** What the page of the document cannot do without. */
const operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const said = z.object({
  routes: z.array(
    z.object({
      method: z.string().regex(/^[A-Z]+$/),
      path: z.string().startsWith('/').max(200),
      // A call is reached whatever is said of it; what is no operation is not in the document.
      docs: operation.optional().catch(undefined),
    }),
  ),
});

/** What a replica has said of its calls. */
interface Heard {
  /** Of the life of the replica that said it. */
  life: string;
  /** Undefined of a release before, which says none: then it has those of the contract. */
  routes: readonly Route[] | undefined;
  /** `GET /users/:` */
  calls: ReadonlySet<string> | undefined;
}

const callOf = (method: string, shape: string) => `${method === 'HEAD' ? 'GET' : method} ${shape}`;

/**
 * The table of owners, made from what the services say of their own calls when they come or change; a service that has not been
 * heard yet has those of the contract, one that is away keeps the last. So a new call needs no new gateway.
 */
export class RouteTable {
  readonly #upstreams: Upstreams<string>;
  readonly #log: Pick<Log, 'warn' | 'info'>;
  readonly #heard = new WeakMap<Replica, Heard>();
  readonly #declared: ReadonlyMap<ServiceName, readonly Route[]>;
  readonly #declaredOwners: ReadonlyMap<string, ServiceName>;
  #said = new Map<ServiceName, readonly Route[]>();
  #owners: ReadonlyMap<string, ServiceName> = new Map();
  #find: (path: string) => Leaf<ServiceName> | undefined = () => undefined;
  #refused: readonly RefusedRoute[] = [];
  #document: ReturnType<typeof documentOf> | undefined;
  /** Services that were heard once. */
  readonly #known = new Set<ServiceName>();
  /** Of all replicas and their lives at the last look. */
  #signature = '';

  /** @param upstreams after each of whose probes new replicas are asked */
  constructor(upstreams: Upstreams<string>, log: Pick<Log, 'warn' | 'info'>, declared = declaredRoutes()) {
    this.#upstreams = upstreams;
    this.#log = log;
    this.#declared = declared;
    this.#declaredOwners = declaredOwners(declared);
    this.#said = new Map(declared);
    this.#arrange();
    upstreams.afterProbe(() => this.#listen());
  }

  /** Which service answers a path below /api; undefined when none does. */
  find(path: string): Leaf<ServiceName> | undefined {
    return this.#find(path);
  }

  /** Whether a replica answers this call, as far as it has said: two releases side by side need not have the same. */
  has(replica: Replica, method: string, shape: string): boolean {
    return this.#heard.get(replica)?.calls?.has(callOf(method, shape)) ?? true;
  }

  /** Whether a replica has said its routes in its present life. */
  isHeard(replica: Replica): boolean {
    return replica.life !== null && this.#heard.get(replica)?.life === replica.life;
  }

  /** Whether a service has never been heard, so that nobody knows yet whose an unknown path is. */
  isWaiting(): boolean {
    return SERVICES.some((service) => {
      const replicas = this.#upstreams.of(service);
      return replicas.length > 0 && !this.#known.has(service);
    });
  }

  /** Paths that a service says and another one owns; calls of them go to the owner. */
  get refused(): readonly RefusedRoute[] {
    return this.#refused;
  }

  /** The API document; the same object until something changes. */
  get document(): ReturnType<typeof documentOf> {
    this.#document ??= documentOf(this.#said, this.#owners);
    return this.#document;
  }

  async #listen(): Promise<void> {
    const asked = SERVICES.flatMap((service) => this.#upstreams.of(service).map((replica) => ({ service, replica })));
    const changed = await Promise.all(asked.map(({ replica }) => this.#ask(replica)));
    for (const { service, replica } of asked) if (this.#heard.has(replica)) this.#known.add(service);
    // A replica that went away also takes what only its release had.
    const signature = asked.map(({ replica }) => `${replica.url} ${this.#heard.get(replica)?.life}`).join();
    if (!changed.includes(true) && signature === this.#signature) return;
    this.#signature = signature;
    for (const service of SERVICES) this.#say(service);
    this.#arrange();
  }

  /** @returns whether it said something new */
  async #ask(replica: Replica): Promise<boolean> {
    const { life } = replica;
    const before = this.#heard.get(replica);
    if (life === null || (before && before.life === life)) return false;
    const text = life === '' ? '' : await textAt(`${replica.opsUrl}/routes`);
    // Asked again at the next probe.
    if (text === undefined) return false;
    const parsed = life === '' ? undefined : said.safeParse(jsonIn(text));
    if (parsed?.success === false) this.#log.warn({ url: replica.url, err: parsed.error }, 'these are no routes');
    const routes = parsed?.data?.routes as Route[] | undefined;
    const calls = routes && new Set(routes.map(({ method, path }) => callOf(method, shapeOf(path))));
    this.#heard.set(replica, { life, routes, calls });
    return true;
  }

  /** What a service says is what its replicas that were heard say, together; while none is there, what it said last. */
  #say(service: ServiceName): void {
    const heard = this.#upstreams.of(service).flatMap((replica) => this.#heard.get(replica) ?? []);
    if (heard.length === 0) return;
    const routes = heard.flatMap((one) => one.routes ?? this.#declared.get(service) ?? []);
    // The newest replicas stand last: of one call their word goes into the document.
    const byCall = new Map(routes.map((route) => [callOf(route.method, shapeOf(route.path)), route]));
    this.#said.set(service, [...byCall.values()]);
  }

  #arrange(): void {
    const { owners, refused } = ownersOf(this.#said, this.#owners, this.#declaredOwners);
    const known = new Set(this.#refused.map(textOf));
    for (const one of refused)
      if (!known.has(textOf(one))) {
        const { path, service: refused, owner } = one;
        this.#log.warn({ path, refused, owner }, 'a route is refused: another service owns it');
      }
    this.#owners = owners;
    this.#refused = refused;
    this.#find = pathsOf(owners);
    this.#document = undefined;
  }
}

/** What every service has by the contract that the gateway was built with. */
function declaredRoutes(): ReadonlyMap<ServiceName, readonly Route[]> {
  return new Map(SERVICES.map((service) => [service, routesOf(service)]));
}

async function textAt(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    const text = await answer.text();
    return answer.ok ? text : undefined;
  } catch {
    return undefined;
  }
}

function textOf({ path, service, owner }: RefusedRoute): string {
  return `${path} ${service} ${owner}`;
}
