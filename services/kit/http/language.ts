import type { Context } from 'koa';

const BASE = 'en';

/**
 * Returns the language of a response by Accept-Language (RFC 9110); pages send the one they are displayed in. English when none
 * matches.
 * @param others supported languages besides English
 */
export function languageOf(koa: Pick<Context, 'acceptsLanguages'>, others: readonly string[]): string {
  return koa.acceptsLanguages(BASE, ...others) || BASE;
}
