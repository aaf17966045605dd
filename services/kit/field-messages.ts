import type { z } from 'zod';

/** The messages about a field in other languages than English, by language. */
export type FieldMessages = Readonly<Record<string, string>>;

/** The languages besides English of messages about refused fields. */
export const FIELD_LANGUAGES: readonly string[] = ['de'];

const number = (value: number | bigint) => value.toLocaleString('de');

/** A schema's refusal of a field in other languages; empty where only the schema itself has a text. */
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
