import { SERVICES, type ServiceName } from '../endpoint.js';
import { LIVE_PATH } from '../live/kinds.js';
import { cord } from '../rules/money.js';
import type { Manifest } from './manifest.js';

/** What each service uses outside itself; declared here only. */
export const MANIFESTS: Readonly<Record<ServiceName, Manifest>> = {
  auth: {
    raw: [
      {
        method: 'GET',
        path: '/auth/discord',
        docs: { id: 'auth.begin', summary: 'Begin to sign in: redirects to Discord', query: ['ref', 'back'] },
      },
      {
        method: 'GET',
        path: '/auth/discord/callback',
        docs: {
          id: 'auth.callback',
          summary: 'Back from Discord: sets the session cookie and redirects into the app',
          query: ['code', 'state', 'error', 'error_description'],
        },
      },
      { method: 'GET', path: '/users/:id/avatar' },
    ],
    streams: { CORD_USERS: ['user', 'session', 'anticheat', 'support'] },
    credits: { welcome: cord(100_000) },
    liveKinds: ['user'],
    tendsDeadLetters: true,
    looksAtStreams: true,
    outside: ['discord'],
  },
  mining: {
    raw: [
      { method: 'GET', path: '/verify.mjs' },
      { method: 'GET', path: '/log/checkpoint' },
      { method: 'GET', path: '/log/tile/:level/:tile' },
      { method: 'GET', path: '/log/tile/:level/:tile/:width' },
    ],
    streams: { CORD_BALANCE: ['balance'], CORD_NODES: ['node'] },
    liveKinds: ['balance', 'node', 'rate'],
    sharesUsers: true,
    outside: ['solana'],
  },
  tasks: {
    streams: { CORD_TASKS: ['task', 'checkin'] },
    credits: { task: cord(100_000), checkin: cord(150) },
    liveKinds: ['tasks', 'checkin'],
  },
  /** Commission is not among its credits: the ledger receives it as a rising total. */
  referrals: {
    streams: { CORD_REFERRALS: ['referral'] },
    credits: { refbonus: cord(10_000), refwelcome: cord(86) },
    liveKinds: ['referrals'],
  },
  rewards: {
    streams: { CORD_REWARDS: ['badge', 'claim', 'epoch'] },
    credits: { compensation: cord(5_000), cordclaim: cord(10_000) },
    liveKinds: ['orders', 'epoch'],
    outside: ['solana', 'prices'],
  },
  leaderboard: {
    streams: { CORD_RANKS: ['ranks'] },
    liveKinds: ['stats'],
    listensTo: ['presence'],
  },
  /** Publishes no event: it forwards other services' live messages, and makes notices and cards from public facts. */
  notices: {
    raw: [
      { method: 'GET', path: LIVE_PATH },
      { method: 'GET', path: '/share/:file' },
      { method: 'GET', path: '/share/rank/:file' },
    ],
    streams: {},
    liveKinds: ['notices'],
    listensTo: ['live'],
    outside: ['push'],
  },
};

/** The services with a credit subject. */
export const CREDITING_SERVICES: readonly ServiceName[] = SERVICES.filter((name) => MANIFESTS[name].credits);
