import { z } from 'zod';
import * as at from '../addresses/auth.js';
import { endpoint, noContent } from '../endpoint.js';
import { isReferralCode, normaliseCode } from '../rules/codes.js';
import { cordAmount, id128, time } from './fields.js';
import { user } from './users.js';

/** Facts for the one-time welcome, kept until acknowledged (services/auth/README.md#a-sign-in). */
const welcome = z.object({
  isNewUser: z.boolean(),
  /** CORD actually credited at the first sign-in; 0 for a returning user. */
  credited: cordAmount,
  /** Additional CORD credited for an entered referral code; null while unknown. */
  referralBonus: cordAmount.nullable(),
  /** Whether a credit is still pending. */
  pending: z.boolean(),
});

/** A sign-in session as its owner sees it. */
const signInSession = z.object({
  id: id128,
  createdAt: time,
  expiresAt: time,
  lastSeenAt: time,
  /** Browser and system, as far as the User-Agent shows. */
  device: z.string(),
  current: z.boolean(),
});

const referralCode = z
  .string()
  .max(32)
  .transform(normaliseCode)
  .refine(isReferralCode, 'must be 6 or 8 of A-Z and 0-9');

export const authEndpoints = {
  exchange: endpoint('auth', at.exchange, {
    body: z.strictObject({
      code: z.string().min(1).max(512),
      redirectUri: z.url().max(512).optional(),
      codeVerifier: z.string().min(43).max(128).optional(),
      referralCode: referralCode.nullish(),
    }),
    response: z.object({ token: z.string(), user, isNewUser: z.boolean() }),
    summary: 'Client B: an authorization code for a bearer token',
    rateClass: 'signIn',
  }),
  me: endpoint('auth', at.me, {
    response: z.object({ user, welcome: welcome.optional() }),
    summary: 'The signed-in user, and what happened at sign-in until it is acknowledged',
  }),
  acknowledgeWelcome: endpoint('auth', at.acknowledgeWelcome, {
    response: noContent,
    status: 204,
    summary: 'The welcome was seen',
  }),
  logout: endpoint('auth', at.logout, {
    response: noContent,
    status: 204,
    summary: 'End this sign-in session and clear the cookie',
  }),
  sessions: endpoint('auth', at.sessions, {
    response: z.array(signInSession),
    summary: 'The own sign-in sessions, newest first',
  }),
  endSessions: endpoint('auth', at.endSessions, {
    response: noContent,
    status: 204,
    summary: 'End every own sign-in session but this one',
  }),
  endSession: endpoint('auth', at.endSession, {
    params: z.strictObject({ id: id128 }),
    response: noContent,
    status: 204,
    summary: 'End one own sign-in session',
  }),
  jwks: endpoint('auth', at.jwks, {
    response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
    summary: 'Public keys of the session tokens',
  }),
} as const;
