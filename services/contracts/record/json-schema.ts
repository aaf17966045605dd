type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** The subset of JSON Schema that zod produces for the system's messages; records use nothing else. */
export interface JsonSchema {
  type?: JsonType | JsonType[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  /** False in a closed object, a schema in a map, absent or empty in an open one. */
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
  /** Still written, no longer read: removed in the next release. */
  deprecated?: boolean;
}

/** A closed object without fields: the schema of a part that a call does not declare. */
export const NOTHING: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** Returns the values that a schema enumerates, or null when it enumerates none. */
export function valuesOf(schema: JsonSchema): unknown[] | null {
  if ('const' in schema) return [schema.const];
  return schema.enum ?? null;
}

/** A schema with at most one type. */
export type OneSchema = JsonSchema & { type?: JsonType };

/** Returns the alternatives of a schema one by one: `{type: ['string', 'null']}` has two. */
export function alternativesOf(schema: JsonSchema): OneSchema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(alternativesOf);
  const { type } = schema;
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema as OneSchema];
}
