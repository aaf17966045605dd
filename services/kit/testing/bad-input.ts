import type { Endpoint } from '@cord/contracts/endpoint';
import { BODY_LIMIT_BYTES, JSON_DEPTH_MAX } from '@cord/contracts/limits';
import { z } from 'zod';
import { fronts } from './call.js';
import { signTestCaller } from './signer.js';

/** A valid call of an endpoint; every bad one differs from it in one thing. */
export interface GoodCall {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Bearer token. */
  token?: string;
}

interface BadCall {
  what: string;
  status: number;
  /** The field that the refusal must name; null when the whole is refused. */
  field: string | null;
  params: Record<string, string>;
  query: Record<string, string>;
  /** The text to send. */
  text: string | undefined;
  contentType: string;
}

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_VALUE,
  '',
  'x',
  ' ',
  'ü'.repeat(5_000),
  [],
  ['x'],
  {},
  { $gt: '' },
];
const WRONG_TEXTS: readonly string[] = [
  '',
  '0',
  '-1',
  '1.5',
  '1e3',
  'x',
  ' ',
  '$ne',
  '[object Object]',
  'x'.repeat(300),
];

/**
 * Returns every bad call that an endpoint's schemas define: each field with a wrong type, out of range, missing or too long; each path and
 * query part; an unknown field, unless the body is open; no object; no JSON; too deep; wrong content type; too large.
 */
export function badCalls(endpoint: Endpoint, good: GoodCall): BadCall[] {
  const base = { params: {}, query: {}, body: {}, ...good };
  const like = {
    params: base.params,
    query: base.query,
    text: JSON.stringify(base.body),
    contentType: 'application/json',
  };
  const wrongTexts = (part: 'params' | 'query') =>
    Object.entries(shapeOf(endpoint[part])).flatMap(([field, schema]) =>
      WRONG_TEXTS.filter((text) => (part === 'query' || text.trim() !== '') && !schema.safeParse(text).success).map(
        (text): BadCall => ({
          ...like,
          what: `${part} ${field}=${JSON.stringify(text.slice(0, 40))}`,
          status: 400,
          field,
          [part]: { ...base[part], [field]: text },
        }),
      ),
    );
  const unknownInQuery: BadCall = {
    ...like,
    what: 'an unknown part of the query',
    status: 400,
    field: 'unknownField',
    query: { ...base.query, unknownField: '1' },
  };
  const calls = [...wrongTexts('params'), ...wrongTexts('query'), unknownInQuery];
  if (endpoint.method === 'GET') return calls;
  const body = (what: string, status: number, field: string | null, sent: unknown): BadCall => ({
    ...like,
    what,
    status,
    field,
    text: typeof sent === 'string' ? sent : JSON.stringify(sent),
  });
  for (const [field, schema] of Object.entries(shapeOf(endpoint.body))) {
    for (const value of WRONG_VALUES.filter((one) => !schema.safeParse(one).success)) {
      const shown = JSON.stringify(value).slice(0, 40);
      calls.push(body(`body ${field}: ${shown}`, 400, field, { ...base.body, [field]: value }));
    }
    const { [field]: _left, ...rest } = base.body as Record<string, unknown>;
    if (!schema.safeParse(undefined).success) calls.push(body(`body without ${field}`, 400, field, rest));
  }
  const deep = `${'['.repeat(JSON_DEPTH_MAX)}${']'.repeat(JSON_DEPTH_MAX)}`;
  const large = `{"x":"${'y'.repeat(BODY_LIMIT_BYTES)}"}`;
  return [
    ...calls,
    ...(takesUnknown(endpoint.body)
      ? []
      : [body('an unknown field', 400, 'unknownField', { ...base.body, unknownField: 1 })]),
    body('a list', 400, null, []),
    body('a bare value', 400, null, '"x"'),
    body('not JSON', 400, null, '{"a":'),
    body('nested too deep', 400, null, `{"x":${deep}}`),
    body('over the limit', 413, null, large),
    { ...body('another content type', 415, null, base.body), contentType: 'application/x-www-form-urlencoded' },
  ];
}

/**
 * Makes every bad call. @returns a line for each that was not refused correctly: with its status, problem details that name the field,
 * and no stack trace. An empty list means success.
 */
export async function badInputFailures(url: string, endpoint: Endpoint, good: GoodCall): Promise<string[]> {
  const failures: string[] = [];
  const token = good.token ?? (fronts.has(url) ? undefined : await signTestCaller());
  for (const bad of badCalls(endpoint, good)) {
    const answer = await fetch(addressOf(url, endpoint, bad), {
      method: endpoint.method,
      headers: {
        'Content-Type': bad.contentType,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      ...(endpoint.method === 'GET' || bad.text === undefined ? {} : { body: bad.text }),
    });
    const text = await answer.text();
    const wrong = findMismatch(bad, answer, text);
    if (wrong) failures.push(`${endpoint.id}, ${bad.what}: ${wrong}`);
  }
  return failures;
}

function findMismatch(bad: BadCall, answer: Response, text: string): string | null {
  if (answer.status !== bad.status) return `${answer.status} instead of ${bad.status}: ${text.slice(0, 200)}`;
  if (!/^application\/problem\+json/.test(answer.headers.get('content-type') ?? '')) return 'no problem details';
  if (/\bat \S+ \(|\.[jt]s:\d+/.test(text)) return 'a stack trace';
  const problem = JSON.parse(text) as { success?: unknown; errors?: Array<{ path: string }> };
  if (problem.success !== false) return 'success is not false';
  const { field } = bad;
  if (field === null) return null;
  const named = problem.errors?.some(({ path }) => path === field || path.startsWith(`${field}.`));
  return named ? null : `the response does not name ${field}: ${text.slice(0, 200)}`;
}

function addressOf(url: string, endpoint: Endpoint, { params, query }: BadCall): URL {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const address = new URL(`/api${path}`, url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

/** Whether a body is declared as open: then the endpoint's own rule decides on unknown fields. */
function takesUnknown(schema: z.ZodType): boolean {
  const { catchall } = schema instanceof z.ZodObject ? schema.def : {};
  return catchall !== undefined && !(catchall instanceof z.ZodNever);
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
}
