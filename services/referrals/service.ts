import { READS } from '@cord/contracts/events/reads';
import { referralLinked } from '@cord/contracts/events/referral';
import { exportRpc } from '@cord/contracts/rpc/export';
import { codeOwnerRpc, processReferralRpc } from '@cord/contracts/rpc/referral';
import { openAuditLog, serveAuditLog } from '@cord/kit/audit-log';
import { stateOf } from '@cord/kit/nats/state-of';
import type { Outbox } from '@cord/kit/outbox';
import { periodic } from '@cord/kit/periodic';
import { plainJson } from '@cord/kit/plain-json';
import { requestRegistration } from '@cord/kit/registration';
import type { ServiceDefinition } from '@cord/kit/service';
import type { z } from 'zod';
import { type Arrivals, createArrivals } from './arrivals.js';
import { createBooks } from './books.js';
import { config } from './config.js';
import { data } from './data.js';
import { BUCKET_LINES_MAX } from './domain/sums.js';
import { createDues } from './dues.js';
import { announcedBy, listen, takeRegistered } from './events.js';
import { createFollow } from './follow.js';
import { holdRoutes } from './http/holds.js';
import { presentStats } from './http/present.js';
import { referralRoutes } from './http/referrals.js';
import { createCommissionLedger } from './ledger.js';
import { createLinks } from './links.js';
import { createPayer, PAYER_BOUNDS } from './payer.js';
import { MEMBERS, openStore } from './store.js';
import { createSums } from './sums.js';
import { createUnbooked } from './unbooked.js';

/** Interval of retrying codes from sign-in that wait for the ledger, ms. */
const WAITING_CODES_EVERY_MS = 30_000;
const WAITING_CODES_LEASE_MS = 2 * WAITING_CODES_EVERY_MS;

/** Returns the newcomer's bonus and place, for auth. */
async function answerNewcomer(
  arrivals: Arrivals,
  { userId, referralCode, newcomer }: z.output<typeof processReferralRpc.request>,
): Promise<z.input<typeof processReferralRpc.reply>> {
  const profile = { ...newcomer, welcomeMicro: BigInt(newcomer.welcomeMicro) };
  const { bonusMicro, ...arrival } = await arrivals.welcome(userId, profile, referralCode);
  return { referredBonusMicro: bonusMicro.toString(), ...arrival };
}

/**
 * The referrals service: codes, links, commission.
 * @param linesMax friends per bucket
 */
export const referralsService = (linesMax = BUCKET_LINES_MAX): ServiceDefinition<typeof config> => ({
  name: 'referrals',
  config,
  data,
  async build({
    http,
    nats,
    store: connection,
    clock,
    leases,
    live,
    log,
    metrics,
    outbox: outboxOf,
    republish,
    erase,
    shutdown,
    switches,
  }) {
    const isOn = () => switches.isOn('commission');
    const store = openStore(connection);
    live.hintAfter('referrals', [referralLinked]);
    const outbox: Outbox = outboxOf(MEMBERS, {
      onCredited: async (id, credit) => {
        if (credit.source === 'refwelcome') await books.bonusCredited(id, credit);
      },
    });
    const dues = createDues(store, clock, PAYER_BOUNDS.quietMs);
    const sendSoon = (referrerId: string) => payer.soon(referrerId);
    const sums = createSums(store.sums, linesMax);
    const commissions = createCommissionLedger(nats);
    const books = createBooks({ store, sums, clock, dues, sendSoon, ledger: commissions, outbox });
    const unbooked = createUnbooked({ sums: store.sums, ledger: commissions, clock, log, metrics, isOn });
    const lastOf = async (userId: string) => {
      const last = await stateOf(nats, READS.referrals.balanceChanged, userId);
      return last && announcedBy(last);
    };
    const follow = createFollow({
      store,
      books,
      unbooked,
      lastOf,
      finalAccountOf: commissions.finalAccountOf,
      clock,
      log,
    });
    const reporting = { clock, leases, log, metrics, ledger: commissions, isOn };
    const payer = createPayer({ ...reporting, store, books, follow, dues });
    const requestRegistered = requestRegistration(nats, (registered) => takeRegistered(arrivals, registered));
    const links = createLinks({ ...{ store, books, nats, clock, outbox }, requestRegistration: requestRegistered });
    const arrivals = createArrivals({ store, links, clock, log, outbox });

    const audit = openAuditLog(connection, clock);
    republish();
    referralRoutes(http, { store, nats, links });
    holdRoutes(http, { store, follow, audit });

    const consuming = [
      ...listen(nats, { store, books, follow, arrivals, erase, requestRegistration: requestRegistered }),
      serveAuditLog(nats, 'referrals', audit),
      nats.serve(processReferralRpc, async (request) => answerNewcomer(arrivals, request)),
      nats.serve(codeOwnerRpc, async ({ code }) => {
        const owner = await store.memberByCode(code);
        return { userId: owner && !owner.erased ? owner._id : null };
      }),
      nats.serve(exportRpc('referrals'), async ({ userId }) =>
        plainJson(await presentStats(store, userId, clock.now())),
      ),
    ];
    for (const each of consuming) shutdown.on('consumers', 'events', () => each.stop());
    const waitingCodes = periodic(
      { clock, log, leases, metrics },
      { name: 'waiting codes', everyMs: WAITING_CODES_EVERY_MS, leaseMs: WAITING_CODES_LEASE_MS, run: arrivals.sweep },
    );
    waitingCodes.start();
    shutdown.on('consumers', 'waiting codes', () => waitingCodes.stop());
    for (const each of [unbooked, payer]) {
      each.start();
      shutdown.on('relay', 'commission', () => each.stop());
    }
  },
});
