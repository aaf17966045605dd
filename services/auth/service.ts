import { RIGHTS_USER } from '@cord/contracts/events/permissions';
import { openAuditLog } from '@cord/kit/audit-log';
import { SWEEP_LEASE_MS } from '@cord/kit/bounds';
import type { AnyCollection } from '@cord/kit/collection';
import { isLocalMode } from '@cord/kit/config';
import { deviceOf } from '@cord/kit/device';
import { eraseStored, purgeStreams } from '@cord/kit/erase';
import { createKeyedHash } from '@cord/kit/keyed-hash';
import { connectNats } from '@cord/kit/nats';
import { purgeDeadLetters } from '@cord/kit/nats/dead-letters';
import { type PeriodicWork, runWhileServing, type Turn } from '@cord/kit/periodic';
import { followRules } from '@cord/kit/rules';
import { createSeal } from '@cord/kit/seal';
import type { ServiceDefinition } from '@cord/kit/service';
import { createAdmin } from './admin.js';
import { openAntiCheat } from './anticheat/open.js';
import { createAuditTrail, serveAuditNotes } from './audit-trail.js';
import { createClientErrors } from './client-errors.js';
import { authConfig, type DiscordSettings, discordSettings, renewableSecret, rightsSettings } from './config.js';
import { createConfigRoles } from './config-roles.js';
import { data } from './data.js';
import { SIGN_IN_OUTCOMES, type SignInOutcome } from './domain/login-failure.js';
import { ROLE_WAIT_MS } from './domain/role.js';
import { createErasure } from './erasure.js';
import { consumeEvents } from './events.js';
import { createUserExport } from './export.js';
import { serveAccounts } from './http/accounts.js';
import { serveAdmin } from './http/admin.js';
import { serveAudit } from './http/audit.js';
import { avatarRoute } from './http/avatar.js';
import { serveBearer } from './http/bearer.js';
import { serveCases } from './http/cases.js';
import { serveClientErrors } from './http/client-errors.js';
import { createDiscordRoutes } from './http/discord.js';
import { serveOperations } from './http/operations.js';
import { SESSION_COOKIE_SECONDS, serveSession } from './http/session.js';
import { serveSupport } from './http/support.js';
import { serveSwitches } from './http/switches.js';
import { serveUsers } from './http/users.js';
import { createKeyRing, SIGNING_KEYS } from './keys/key-ring.js';
import { createUserSender } from './live.js';
import { createOverview } from './operators/overview.js';
import { createReleaseDesk } from './operators/releases.js';
import { createParkedCredits } from './parked-credits.js';
import { createLedgerPort, createRecordPeers, createReferralPort } from './peers.js';
import { createRights } from './rights.js';
import { serveHistory, serveRegistration } from './rpc.js';
import { createDiscordClient } from './signin/discord-client.js';
import { createDiscordGrant } from './signin/grant.js';
import { createSignInCookies } from './signin/oauth-cookie.js';
import { createOnboarding } from './signin/onboarding.js';
import { createSessionIssuer } from './signin/session-issuer.js';
import { createSignIn } from './signin/sign-in.js';
import { ERASURES } from './store/erasures.js';
import { createStores } from './store/stores.js';
import { SUPPORT_REQUESTS } from './store/support.js';
import { USERS } from './store/users.js';
import { createSwitchDesk } from './switches/desk.js';
import { ALL, SWITCHES, switchesState } from './switches/store.js';
import { createUndo } from './undo.js';
import { createUserRecords } from './user-records.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Interval of the check for changes by `npx cord switch`, ms: they take effect within a second. */
const SWITCHES_EVERY_MS = 400;

/** Overrides for tests. */
interface AuthOverrides {
  discord?: DiscordSettings;
  /** Outside local mode an admin's account needs a second factor at Discord. */
  needsSecondFactor?: boolean;
}

/** The service. Dependencies are wired by hand, top to bottom: stores, domain, routes, events, sweeps. */
export function authService(overrides: AuthOverrides = {}): ServiceDefinition<typeof authConfig> {
  return {
    name: 'auth',
    config: authConfig,
    data,
    needed: ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET', 'ADDRESS_HASH_KEY'],
    async build(kit) {
      const { config, log, clock, nats, http, shutdown } = kit;
      const now = () => clock.now();
      const discordAt = overrides.discord ?? discordSettings(config);
      const needsSecondFactor = overrides.needsSecondFactor ?? !isLocalMode(config);

      const stores = createStores(kit.store);
      const { users, sessions, facts, support, transactions } = stores;
      const audit = openAuditLog(kit.store, clock);
      const send = createUserSender(kit.live, now);
      const relayOf = (collection: AnyCollection) => {
        const outbox = kit.outbox(collection);
        return (id: string) => void outbox.relayNow(id);
      };
      const [relayUser, relayErasure] = [relayOf(USERS), relayOf(ERASURES)];

      const keys = createKeyRing({
        store: stores.keys,
        seal: createSeal(renewableSecret(config, 'KEY_ENCRYPTION_KEY'), SIGNING_KEYS),
        now,
      });
      const rightsNats = await connectNats(rightsSettings(config), RIGHTS_USER, log, shutdown.signal);
      shutdown.on('nats', 'rights', () => rightsNats.drain());
      kit.health.add('rights', () => rightsNats.connected());
      const switches = SWITCHES.versioned(kit.store);
      const rights = createRights({
        nats: rightsNats,
        keys,
        revocations: stores.revocations,
        sessions,
        users,
        switches: async () => switchesState(await switches.get(ALL)),
        roleWaitMs: isLocalMode(config) ? 0 : ROLE_WAIT_MS,
        now,
      });
      shutdown.on('consumers', 'rights', () => rights.stop());
      await rights.sweep();
      await kit.switches.refresh();
      const switchDesk = createSwitchDesk({ switches, audit, publish: rights.publishSwitches, now });

      const rules = followRules(kit);
      const antiCheat = openAntiCheat(kit, async (userId) => (await users.byId(userId)) !== null);
      const records = createUserRecords({
        facts,
        nameOf: async (userId) => (await users.byId(userId))?.username ?? null,
        peers: createRecordPeers(nats),
        efficiencyOf: antiCheat.efficiencyOf,
        rules,
        now,
      });
      const erasure = createErasure({
        ...stores,
        antiCheat,
        rights,
        tombstone: createKeyedHash(config.TOMBSTONE_KEY, 'erased Discord ids'),
        idempotency: kit.idempotency,
        erase: (userId) => eraseStored(kit.store, data, userId),
        async purge(userId) {
          await purgeStreams(nats, data, userId);
          await purgeDeadLetters(nats, userId);
        },
        relay: relayErasure,
        log,
        now,
      });
      const onboarding = createOnboarding({
        users,
        ledger: createLedgerPort(nats, kit.ledger),
        referrals: createReferralPort(nats, facts),
        now,
        onFailure: (userId, err) => log.warn({ err, userId }, 'onboarding of a new user failed; retrying later'),
      });
      const issuer = createSessionIssuer({ users, sessions, keys, rights, log, now });
      const roles = createConfigRoles({
        ...{ discordIds: config.ADMIN_DISCORD_IDS, needsSecondFactor, audit, users, rights, now },
      });
      await roles.reconcile();
      const signIn = createSignIn({
        users,
        facts,
        sessions: issuer,
        onboarding,
        rights,
        pastOf: erasure.pastOf,
        roles,
        mayJoin: () => kit.switches.isOn('signups'),
        relay: relayUser,
        rules,
        now,
      });
      const admin = createAdmin({
        ...{ audit, support, users, antiCheat, rights, sessions, send, needsSecondFactor, now },
        relayAnswer: relayOf(SUPPORT_REQUESTS),
      });

      const discord = createDiscordClient(discordAt);
      const cookies = createSignInCookies({
        publicOrigin: config.PUBLIC_ORIGIN,
        secrets: renewableSecret(config, 'SESSION_SECRET'),
        sessionSeconds: SESSION_COOKIE_SECONDS,
      });
      const outcomes = kit.metrics.counter('cord_sign_ins_total');
      for (const outcome of SIGN_IN_OUTCOMES) outcomes.inc({ outcome }, 0);
      const onOutcome = (outcome: SignInOutcome) => outcomes.inc({ outcome });
      const browser = createDiscordRoutes({
        grant: createDiscordGrant(discordAt),
        discord,
        transactions,
        cookies,
        signIn,
        endSession: (sessionId) => rights.endSessions([sessionId]),
        now,
        onSignIn: ({ userAgent, ...signedIn }) => log.info({ ...signedIn, device: deviceOf(userAgent) }, 'signed in'),
        onFailure: (key, err) => log.warn({ err, key }, 'a sign-in failed'),
        onOutcome,
      });
      http.raw({ id: 'auth.discord', method: 'GET', path: '/auth/discord', rateClass: 'signIn' }, browser.start);
      http.raw(
        { id: 'auth.discordCallback', method: 'GET', path: '/auth/discord/callback', rateClass: 'signIn' },
        browser.callback,
      );
      const pictures = avatarRoute({ users, cdnUrl: discordAt.cdnUrl });
      http.raw({ id: 'users.avatar', method: 'GET', path: '/users/:id/avatar', rateClass: 'read' }, pictures);
      serveBearer(http, { discord, signIn, records, redirectUris: [discordAt.redirectUri], onOutcome });
      serveSession(http, { users, records, sessions, rights, keys, cookies });
      serveUsers(http, {
        users,
        records,
        exportOf: createUserExport({ records, sessions, support, antiCheat, nats }),
        erasure,
        cookies,
        send,
        relay: relayUser,
      });
      serveClientErrors(http, createClientErrors({ store: stores.clientErrors }));
      serveSupport(http, { users, antiCheat, support, facts });
      const parked = createParkedCredits(audit, nats);
      const { clientErrors } = stores;
      const overview = createOverview({ support, antiCheat, parked, clientErrors, switches: switchDesk, nats, now });
      serveCases(http, { admin, users, support, overview });
      serveAdmin(http, { admin, users, records, support, antiCheat });
      serveAccounts(http, { admin, users, sessions, antiCheat });
      const undo = createUndo({ audit, admin, antiCheat, users, switches: switchDesk });
      serveAudit(http, { auditTrail: createAuditTrail(audit, nats), audit, undo, users });
      const answering = [
        serveAuditNotes(nats, audit),
        serveHistory(nats, { sessions, antiCheat, now }),
        serveRegistration(nats, users),
      ];
      for (const each of answering) shutdown.on('consumers', 'requests', () => each.stop());
      serveOperations(http, { overview, parked, releases: createReleaseDesk({ audit, users, nats }) });
      serveSwitches(http, switchDesk, users);
      if (kit.localMode) {
        const { serveDevRoutes } = await import('./dev-routes.js');
        serveDevRoutes(http, { admin, publicOrigin: config.PUBLIC_ORIGIN });
      }

      kit.republish();
      const countingMined = antiCheat.start();
      for (const consuming of [countingMined, ...consumeEvents({ nats, facts, support, send, now })]) {
        shutdown.on('consumers', 'events', () => consuming.stop());
      }
      const removeExpired = async ({ lease }: Turn) => {
        if (await lease()) await stores.removeExpired(now());
      };
      const sweeps: PeriodicWork[] = [
        { name: 'onboarding', everyMs: SECOND_MS, leaseMs: SWEEP_LEASE_MS, run: onboarding.sweep },
        {
          name: 'rights',
          everyMs: SECOND_MS,
          everywhere: 'each replica holds the keys in memory; a key is made by the first replica to store it',
          run: rights.sweep,
        },
        {
          name: 'switches',
          everyMs: SWITCHES_EVERY_MS,
          soon: false,
          everywhere: 'each replica announces what another process has changed; one read',
          run: switchDesk.watch,
        },
        { name: 'erasures', everyMs: 10 * SECOND_MS, leaseMs: MINUTE_MS, run: erasure.sweep },
        { name: 'anti-cheat', everyMs: MINUTE_MS, leaseMs: 2 * MINUTE_MS, run: antiCheat.sweep },
        { name: 'expired', everyMs: MINUTE_MS, leaseMs: 2 * MINUTE_MS, run: removeExpired },
      ];
      runWhileServing(kit, [rules.work, ...sweeps]);
    },
  };
}
