type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** The part of JSON Schema that zod writes for the messages of the system; records hold nothing else. */
export interface JsonSchema {
  type?: JsonType | JsonType[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  /** False in a closed object; a schema in a map; absent or empty in an open one. */
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  multipleOf?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  /** Still written, no longer read: gone in the release after. */
  deprecated?: boolean;
}

/** A closed object without fields: what a call takes that declares no such part. */
export const NOTHING: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** Values that a schema names one by one, or null where it names none. */
export function valuesOf(schema: JsonSchema): unknown[] | null {
  if ('const' in schema) return [schema.const];
  return schema.enum ?? null;
}

/** A schema of one type at the most. */
export type OneSchema = JsonSchema & { type?: JsonType };

/** The alternatives of a schema, one by one: `{type: ['string', 'null']}` has two. */
export function alternativesOf(schema: JsonSchema): OneSchema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(alternativesOf);
  const { type } = schema;
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema as OneSchema];
}
