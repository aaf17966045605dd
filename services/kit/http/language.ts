import type { Context } from 'koa';

const BASE = 'en';

/**
 * Which language an answer is to be in, by what the caller accepts (RFC 9110, Accept-Language): pages name the one that they are
 * shown in. English for who names none of those that there are.
 * @param others the languages that there are besides English
 */
export function languageOf(koa: Pick<Context, 'acceptsLanguages'>, others: readonly string[]): string {
  return koa.acceptsLanguages(BASE, ...others) || BASE;
}
