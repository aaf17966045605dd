import { SERVICES } from '../endpoint.js';
import { STREAMS } from '../events/streams.js';
import { CREDITING_SERVICES } from '../manifests/index.js';
import { AUDITED_SERVICES, auditNoteRpc, auditRpc } from './audit.js';
import { excusedRpc, outagesRpc } from './checkin.js';
import { exportRpc, HOLDING_SERVICES } from './export.js';
import {
  accountRpc,
  accrueCommissionRpc,
  creditRpc,
  earningsRpc,
  epochsRpc,
  friendAccountRpc,
  openAccount,
  rulesRpc,
  runningRpc,
} from './ledger.js';
import { PROMISING_SERVICES, parkedRpc, retryParkedRpc } from './parked.js';
import { pastRpc } from './past.js';
import { rankCardRpc, rankRpc } from './rank.js';
import { codeOwnerRpc, processReferralRpc } from './referral.js';
import { registrationRpc } from './registration.js';
import { actOnReleaseRpc, releasesRpc } from './releases.js';
import { republishRpc } from './republish.js';
import { rightsRpc } from './rights.js';
import type { DeclaredRpc } from './rpc.js';

const owners = SERVICES.filter((service) => STREAMS.some(({ owner }) => owner === service));

/** Every request over NATS. To add one: its declaration in this folder, and an entry in this list. */
export const RPCS: readonly DeclaredRpc[] = [
  openAccount,
  accountRpc,
  friendAccountRpc,
  earningsRpc,
  runningRpc,
  epochsRpc,
  rulesRpc,
  accrueCommissionRpc,
  ...CREDITING_SERVICES.map(creditRpc),
  excusedRpc,
  outagesRpc,
  pastRpc,
  registrationRpc,
  rankRpc,
  rankCardRpc,
  processReferralRpc,
  codeOwnerRpc,
  rightsRpc,
  ...HOLDING_SERVICES.map(exportRpc),
  ...AUDITED_SERVICES.map(auditRpc),
  auditNoteRpc,
  ...PROMISING_SERVICES.flatMap((service) => [parkedRpc(service), retryParkedRpc(service)]),
  releasesRpc,
  actOnReleaseRpc,
  ...owners.map(republishRpc),
];
