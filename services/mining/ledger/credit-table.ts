import type { ServiceName } from '@cord/contracts/endpoint';
import type { Source } from '@cord/contracts/events/balance';
import { cord } from '@cord/contracts/rules/money';

/**
 * Who may credit what, and up to how many micro-CORD at once (money.md, Credit). It is the ledger's own word: what a service's
 * manifest says of its credits gives it no right here. Commission is not among it: it comes as a total that rises.
 */
export const CREDIT_TABLE: Readonly<Partial<Record<ServiceName, Readonly<Partial<Record<Source, bigint>>>>>> = {
  auth: { welcome: cord(100_000) },
  tasks: { task: cord(100_000), checkin: cord(150) },
  referrals: { refbonus: cord(10_000), refwelcome: cord(86) },
  rewards: { compensation: cord(5_000), cordclaim: cord(10_000) },
};
