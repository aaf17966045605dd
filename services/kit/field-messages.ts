import type { z } from 'zod';

/** A field's messages in other languages than English, by language. */
export type FieldMessages = Readonly<Record<string, string>>;

/** Languages besides English for messages about rejected fields. */
export const FIELD_LANGUAGES: readonly string[] = ['de'];

const number = (value: number | bigint) => value.toLocaleString('de');

/** Returns a schema issue in other languages; undefined when only the schema has a text. */
export function fieldMessages(issue: z.core.$ZodIssue): FieldMessages | undefined {
  const de = german(issue);
  return de === undefined ? undefined : { de };
}

function german(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'ist nicht bekannt';
    case 'invalid_type':
      return 'fehlt oder hat den falschen Typ';
    case 'too_small':
      return bounded('mindestens', issue.minimum, issue.origin);
    case 'too_big':
      return bounded('höchstens', issue.maximum, issue.origin);
    case 'not_multiple_of':
      return issue.divisor < 1
        ? `darf höchstens ${Math.round(-Math.log10(issue.divisor))} Nachkommastellen haben`
        : `muss durch ${number(issue.divisor)} teilbar sein`;
    case 'invalid_value':
      return `muss einer dieser Werte sein: ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return 'hat nicht das richtige Format';
    case 'custom':
      return typeof issue.params?.de === 'string' ? issue.params.de : undefined;
    default:
      return 'ist ungültig';
  }
}

function bounded(least: string, bound: number | bigint, origin: string): string {
  const of = origin === 'string' ? ' Zeichen haben' : origin === 'number' ? ' sein' : ' enthalten';
  return `muss ${least} ${number(bound)}${of}`;
}
