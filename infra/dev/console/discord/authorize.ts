import { z } from 'zod';
import { isRegisteredRedirect, LOCAL_CLIENT_ID } from './client.js';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** The authorization request of the site. */
export interface AuthorizeRequest {
  redirectUri: string;
  scope: string;
  state: string | undefined;
  challenge: string | undefined;
}

/** A request that cannot be granted and must not redirect: shown as a page, as Discord does. */
export class BadAuthorizeRequest extends Error {}

const one = z.string().max(2_048);
const query = z.looseObject({
  client_id: one.optional(),
  response_type: one.optional(),
  redirect_uri: one.optional(),
  scope: one.optional(),
  state: one.optional(),
  code_challenge: one.optional(),
  code_challenge_method: one.optional(),
});

/** @throws BadAuthorizeRequest with Discord's text */
export function readAuthorizeRequest(given: unknown, publicOrigin: string): AuthorizeRequest {
  const parsed = query.safeParse(given);
  if (!parsed.success) throw new BadAuthorizeRequest('Invalid Form Body');
  const {
    client_id,
    response_type,
    redirect_uri = '',
    scope = '',
    state,
    code_challenge,
    code_challenge_method,
  } = parsed.data;
  if (client_id !== LOCAL_CLIENT_ID) throw new BadAuthorizeRequest('Unknown Application');
  if (!isRegisteredRedirect(redirect_uri, publicOrigin)) throw new BadAuthorizeRequest('Invalid OAuth2 redirect_uri');
  if (response_type !== 'code')
    throw new BadAuthorizeRequest('The authorization server does not support this response type');
  const scopes = scope.split(/\s+/).filter(Boolean);
  if (scopes.length === 0 || !scopes.every((name) => name === 'identify' || name === 'email')) {
    throw new BadAuthorizeRequest('The requested scope is invalid, unknown, or malformed.');
  }
  if (code_challenge !== undefined && (code_challenge_method !== 'S256' || !CHALLENGE.test(code_challenge))) {
    throw new BadAuthorizeRequest('Invalid code_challenge: only S256 is supported');
  }
  return { redirectUri: redirect_uri, scope: scopes.join(' '), state, challenge: code_challenge };
}

/** Redirect back to the site with a code. */
export function approvedLocation(request: AuthorizeRequest, code: string): string {
  return back(request, { code });
}

/** Redirect back to the site when the user declined, with Discord's texts. */
export function deniedLocation(request: AuthorizeRequest): string {
  const description = 'The resource owner or authorization server denied the request';
  return back(request, { error: 'access_denied', error_description: description });
}

function back({ redirectUri, state }: AuthorizeRequest, answer: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
