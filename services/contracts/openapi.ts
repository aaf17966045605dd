import { z } from 'zod';
import { type Access, type Endpoint, type ServiceName, takesKey } from './endpoint.js';
import { ENDPOINTS } from './http/index.js';
import { BY_HANDLER, RATE_LIMITS } from './limits.js';
import { MANIFESTS } from './manifests/index.js';
import type { RawRoute } from './manifests/manifest.js';
import { PROBLEM_TITLES, problemDetails } from './problems.js';
import { FRESH_SIGN_IN_MS } from './rules/timings.js';

type Json = Record<string, unknown>;

/** Statuses of refusals by access, beside those of a call's own rules. */
const REFUSALS: Readonly<Record<Access, number[]>> = {
  public: [400, 429, 500, 503],
  user: [400, 401, 403, 404, 409, 422, 429, 500, 503],
  self: [400, 401, 403, 404, 409, 422, 429, 500, 503],
  admin: [400, 401, 403, 404, 409, 422, 429, 500, 503],
};

/** Statuses for any request with a body, expected or not: too large, or not JSON. */
const OF_BODIES = [413, 415];
/** Statuses for an Idempotency-Key: its first call still runs, or was a different one. */
const OF_KEYS = [409, 422];

/** A call as a service declares it. */
export interface Route {
  method: string;
  /** Path below /api, with `:name` parameters. */
  path: string;
  /** Operation in the API document; a call without it is not for other programs. */
  docs?: Json;
}

/** Returns a service's calls with their API document entries, by this build's contract. */
export function routesOf(service: ServiceName): Route[] {
  const declared = ENDPOINTS.filter((endpoint) => endpoint.service === service);
  return [
    ...declared.map((endpoint) => ({ method: endpoint.method, path: endpoint.path, docs: operation(endpoint) })),
    ...(MANIFESTS[service].raw ?? []).map(({ method, path, docs }) => ({
      method,
      path,
      ...(docs ? { docs: redirect(service, docs) } : {}),
    })),
  ];
}

/** Returns the API document, OpenAPI 3.1, made from the declared calls. */
export function openApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = openApiPath(route.path);
    if (route.docs) paths[path] = { ...paths[path], [route.method.toLowerCase()]: route.docs };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'CORD',
      version: '2.0.0',
      description:
        'CORD amounts are numbers with at most 6 decimals, times ISO 8601 in UTC. Every refusal is a problem document (RFC 9457) with a stable `type` and the text for the user in `error`. POST of a signed-in user honours Idempotency-Key; a public call does not, nor one whose repetition changes nothing more. Answers above 16 KiB are not kept: a repetition gets 409 `answer-not-kept`. A user has at most 500 keys a day and service.',
    },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.flatMap(({ docs }) => docs?.tags ?? []))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: schemaOf(problemDetails, 'output') },
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-cord',
          description: '`cord` over plain http on localhost',
        },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
}

/** Returns the API document entry of an endpoint, made from its declaration. */
export function operation(endpoint: Endpoint): Json {
  const body = schemaOf(endpoint.body, 'input');
  const takesBody = endpoint.method !== 'GET' && Object.keys((body.properties as Json | undefined) ?? {}).length > 0;
  return {
    operationId: endpoint.id,
    tags: [endpoint.service],
    summary: endpoint.summary,
    description: [ACCESS_TEXTS[endpoint.access], ...freshText(endpoint), limitText(endpoint)].join(' '),
    security: endpoint.access === 'public' ? [] : [{ cookie: [] }, { bearer: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(takesBody ? { requestBody: { required: true, content: json(body) } } : {}),
    responses: {
      ...success(endpoint),
      ...refusals([
        ...REFUSALS[endpoint.access],
        ...(endpoint.path.includes(':') ? [404] : []),
        ...(endpoint.method === 'GET' ? [] : OF_BODIES),
        ...(takesKey(endpoint) ? OF_KEYS : []),
      ]),
    },
  };
}

function freshText({ fresh }: Endpoint): string[] {
  if (fresh === undefined || typeof fresh === 'string') return [];
  const when = fresh === true ? '' : ', for some bodies only';
  return [`The sign-in must be at most ${FRESH_SIGN_IN_MS / 60_000} minutes old${when}.`];
}

function limitText({ rateClass, budget }: Endpoint): string {
  const { points, seconds } = RATE_LIMITS[rateClass];
  const what = BY_HANDLER.has(rateClass) ? 'calls that change nothing' : 'calls';
  return `At most ${points} ${what} in ${seconds} s, counted as ${budget}.`;
}

const ACCESS_TEXTS: Readonly<Record<Access, string>> = {
  public: 'Needs no sign-in.',
  user: 'Needs a sign-in.',
  self: 'Needs a sign-in of the user it names.',
  admin: 'Admins only.',
};

function success(endpoint: Endpoint): Json {
  if (endpoint.status === 204) return { '204': { description: 'Done' } };
  const answer = { description: 'Done', content: json(schemaOf(endpoint.response, 'output')) };
  return {
    [endpoint.status]: answer,
    ...(endpoint.alsoAccepted ? { '202': { ...answer, description: 'Accepted, and on its way' } } : {}),
  };
}

/** Returns the API document entry of a redirect. */
export function redirect(service: ServiceName, { id, summary, query }: NonNullable<RawRoute['docs']>): Json {
  return {
    operationId: id,
    tags: [service],
    summary,
    security: [],
    parameters: query.map((name) => ({ name, in: 'query', required: false, schema: { type: 'string' } })),
    responses: { '302': { description: 'Onward' }, ...refusals([429, 503]) },
  };
}

function refusals(statuses: number[]): Json {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: PROBLEM_TITLES[status] ?? 'Refused', content }]),
  );
}

/** Returns each field of an object schema as a parameter. */
function parameters(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  return json as Json;
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** Returns `/users/:id` as `/users/{id}`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
