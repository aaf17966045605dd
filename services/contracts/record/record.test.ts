import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SERVICES } from '../endpoint.js';
import { permissionsFor, requestersOf } from '../events/permissions.js';
import { RPCS } from '../rpc/index.js';
import { generalSubject } from '../rules/affinity.js';
import { examples } from './examples.js';
import { history, linesOf } from './history.js';
import { type Message, type MessageKind, messages } from './messages.js';
import { findings, findingText, releaseOf } from './release.js';

const FOLDER = fileURLToPath(new URL('../history', import.meta.url));
const recorded = history(FOLDER);
const all = messages();
const today = releaseOf('today', all);

describe('releases side by side', () => {
  test('this release is compatible with the recorded ones', () => {
    expect(recorded.length).toBeGreaterThan(0);
    expect(findings(today, recorded).map(findingText)).toEqual([]);
  });

  test('each response has an example that its schema accepts', () => {
    const byName = new Map(all.map((message) => [message.name, message]));
    for (const { message, full } of examples()) {
      const { schema } = byName.get(message) as Message;
      const read = schema.safeParse(schema instanceof z.ZodUndefined ? undefined : full);
      expect(read.success, `${message}: ${read.error?.message}`).toBe(true);
    }
  });

  test('a release is recorded identically each time', () => {
    const again = releaseOf('today', messages());
    expect(linesOf([...again.messages.values()])).toBe(linesOf([...today.messages.values()]));
  });

  test('every request that a service may send is among the messages, and no other', () => {
    for (const { subject } of RPCS) expect(requestersOf(subject).length, subject).toBeGreaterThan(0);
    const known = RPCS.map(({ subject }) => subject);
    for (const service of SERVICES)
      for (const subject of requestsOf(service))
        expect(known, `${service} requests ${subject}`).toContain(generalSubject(subject));
  });
});

/** A message of two releases, each written by zod. */
function between(kind: MessageKind, was: z.ZodType | null, is: z.ZodType | null): string[] {
  const release = (name: string, schema: z.ZodType | null) =>
    releaseOf(name, schema ? [{ name: 'event user.v1.updated', kind, schema } satisfies Message] : []);
  return findings(release('today', is), [{ ...release('1.0.0', was) }]).map(findingText);
}

describe('an incompatible change is reported', () => {
  const was = z.object({ name: z.string(), day: z.object({ ms: z.number().int() }), note: z.string().optional() });
  const at = '1.0.0, event user.v1.updated, ';

  test.each([
    ['a removed field', was.omit({ name: true }), 'name: removed'],
    ['a removed field below another', was.extend({ day: z.object({}) }), 'day.ms: removed'],
    ['a removed field that was optional', was.omit({ note: true }), 'note: removed'],
    ['a required field that may be absent', was.extend({ name: z.string().optional() }), 'name: may be absent now'],
    ['a value that may be null', was.extend({ name: z.string().nullable() }), 'name: may be null now'],
    ['a new required field', was.extend({ more: z.string() }), 'more: is new and required'],
    ['an optional field that is required', was.extend({ note: z.string() }), 'note: is required now'],
    ['another type', was.extend({ name: z.number() }), 'name: narrowed: was string, is number'],
    ['a shorter text', was.extend({ name: z.string().max(5) }), 'name: narrowed: maxLength is 5'],
    ['a pattern', was.extend({ name: z.string().regex(/^a$/) }), 'name: narrowed: pattern is ^a$'],
    ['a list of values', was.extend({ name: z.enum(['a', 'b']) }), 'name: narrowed to "a","b"'],
    ['a lower bound', was.extend({ day: z.object({ ms: z.number().int().min(1) }) }), 'day.ms: narrowed: minimum is 1'],
    [
      'a closed object',
      was.extend({ day: z.strictObject({ ms: z.number().int() }) }),
      'day: narrowed: refuses unknown',
    ],
  ])('%s', (_what, is, text) => {
    const found = between('event', was, is);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(at + text);
  });

  test('a value that is no longer accepted, in a list of maps', () => {
    const of = (values: [string, ...string[]]) => z.object({ list: z.array(z.record(z.string(), z.enum(values))) });
    expect(between('answer', of(['a', 'b']), of(['a']))).toEqual([`${at}list[].*: narrowed: takes "b" no more`]);
  });

  test('a removed message', () => {
    expect(between('event', was, null)).toEqual([`${at}removed`]);
  });

  test('of an event against every release, of a request only against the previous one', () => {
    const first = (kind: MessageKind) => releaseOf('1.0.0', [{ name: 'm', kind, schema: z.object({}) }]);
    const second = (kind: MessageKind) =>
      releaseOf('1.1.0', [{ name: 'm', kind, schema: z.object({ b: z.string() }) }]);
    const texts = (kind: MessageKind) =>
      findings({ ...second(kind), name: 'today' }, [first(kind), second(kind)]).map(findingText);
    expect(texts('event')).toEqual(['1.0.0, m, b: is new and required']);
    expect(texts('request')).toEqual([]);
  });

  test('a required field in the body of a call that had none', () => {
    const call = (body: z.ZodType): Message[] => [
      { name: 'POST /x body', kind: 'request', schema: body },
      { name: 'POST /x response', kind: 'answer', schema: z.object({}) },
    ];
    const old = releaseOf('1.0.0', call(z.strictObject({})));
    const texts = (body: z.ZodType) => findings(releaseOf('today', call(body)), [old]).map(findingText);
    expect(texts(z.strictObject({ a: z.string() }))).toEqual(['1.0.0, POST /x body, a: is new and required']);
    expect(texts(z.strictObject({ a: z.string().optional() }))).toEqual([]);
    expect(findings(releaseOf('today', call(z.strictObject({})).slice(1)), [old])).toEqual([]);
  });
});

describe('a change over two releases', () => {
  const was = z.object({ name: z.string() });
  const going = z.object({ name: z.string().optional().meta({ deprecated: true }) });

  test('may deprecate a field, still write it, and then remove it', () => {
    expect(between('event', was, going)).toEqual([]);
    expect(between('event', going, z.object({}))).toEqual([]);
  });

  test('may add an optional field to a closed request, but not remove it', () => {
    const more = z.strictObject({ name: z.string(), note: z.string().optional() });
    const closed = z.strictObject({ name: z.string() });
    expect(between('request', closed, more)).toEqual([]);
    expect(between('request', more, closed)).toEqual([expect.stringContaining('note: removed, and refused now')]);
  });

  test('may not remove a deprecated field that a consumer still reads', () => {
    const reader = (schema: z.ZodType): Message => ({ name: 'tasks reads user.v1.updated', kind: 'reading', schema });
    const event = (schema: z.ZodType): Message => ({ name: 'event user.v1.updated', kind: 'event', schema });
    const old = releaseOf('1.0.0', [event(going), reader(going)]);
    const found = findings(releaseOf('today', [event(z.object({})), reader(z.object({}))]), [old]).map(findingText);
    expect(found).toEqual(['1.0.0, tasks reads user.v1.updated, name: removed']);
    expect(findings(releaseOf('today', [event(z.object({}))]), [releaseOf('1.0.0', [event(going)])])).toEqual([]);
  });

  test('may deprecate a message, and then remove it', () => {
    expect(between('event', was.meta({ deprecated: true }), null)).toEqual([]);
  });
});

/** Requests that a service may send, without those for a part of the users. */
function requestsOf(service: (typeof SERVICES)[number]): string[] {
  return permissionsFor(service).publish.filter((subject) => /^cord\.(rpc|rights)\.v1\.[^*]*$/.test(subject));
}
