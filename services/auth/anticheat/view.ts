import type { NetworkStanding } from './port.js';

/** Status of the network check: the reason and the number, never names. */
export function anticheatStatusOf(doc: NetworkStanding) {
  return {
    efficiencyMultiplier: doc.efficiencyHundredths / 100,
    penaltyLevel: doc.penaltyLevel,
    levelName: levelName(doc),
    isFlagged: doc.isFlagged,
    riskScore: doc.riskScore,
    totalUsersOnIp: doc.totalUsersOnIp,
    otherUsersOnIp: doc.otherUsersOnIp,
    userIpCount: doc.userIpCount,
    warningMessage: doc.warningMessage,
    cleared: doc.cleared || doc.addressIsShared,
    mayAppeal: doc.penaltyLevel > 0,
    checkedAt: new Date(doc.checkedAtMs).toISOString(),
  };
}

/** Names of the levels (services/contracts/rules/README.md#network-check); default Clean. */
function levelName(doc: NetworkStanding): string {
  if (doc.penaltyLevel > 0) return `Level ${doc.penaltyLevel}`;
  return doc.isFlagged ? 'Shared' : 'Clean';
}
