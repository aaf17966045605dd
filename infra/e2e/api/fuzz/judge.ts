import { jsonIn } from '@cord/kit/json';
import { z } from 'zod';
import type { ApiDocument, Call } from './document.js';

const PROBLEM = 'application/problem+json';

/** Returns what is wrong with a response according to the document, or null. */
export type Judge = (call: Call, answer: { status: number; contentType: string; text: string }) => string | null;

/** A response is wrong when it is a server error, has a status that its call does not list, or a different shape. */
export function judgeOf(document: ApiDocument): Judge {
  const problem = z.fromJSONSchema(document.components.schemas.Problem as never);
  const made = new Map<string, z.ZodType>();
  const shapeOf = (call: Call, status: number): z.ZodType | null => {
    const key = `${call.operationId} ${status}`;
    const schema = call.responses[status]?.content?.['application/json']?.schema;
    if (schema && !made.has(key)) made.set(key, z.fromJSONSchema(schema as never));
    return made.get(key) ?? null;
  };
  return (call, { status, contentType, text }) => {
    if (status >= 500) return `fault ${status} ${typeIn(text)}`;
    const documented = call.responses[status];
    if (!documented) return `undocumented ${status} ${typeIn(text)}`;
    if (!documented.content) return text === '' || status === 302 ? null : `undocumented body of ${status}`;
    const type = status >= 400 ? PROBLEM : 'application/json';
    if (!contentType.startsWith(type)) return `${status} is ${contentType}, not ${type}`;
    const shape = status >= 400 ? problem : shapeOf(call, status);
    const checked = shape?.safeParse(jsonIn(text));
    if (checked?.success) return null;
    const first = checked?.error.issues[0];
    return `undocumented shape of ${status}: ${first?.path.join('.') ?? ''} ${first?.message ?? 'no schema'}`;
  };
}

function typeIn(text: string): string {
  return (jsonIn(text) as { type?: string } | undefined)?.type ?? '';
}
