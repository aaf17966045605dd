/**
 * What the modules brought before their builds said so: a line of that time names neither tab nor parts, and what it names is still in use, or can
 * be rolled back to.
 * @type {Record<string, import('@cord/build/module-facts.mjs').ModuleFacts>}
 */
const FACTS_BEFORE = {
  mfe_mining: {
    tab: tab('node', 'Mining', 'gauge', 20),
    parts: [{ ...part('node-card', 'Mining node', 'ring-card'), place: 'dashboard.main', order: 10 }],
  },
  mfe_tasks: {
    tab: tab('tasks', 'Tasks', 'list', 30),
    parts: [
      { ...part('tasks-card', 'Tasks', 'card'), place: 'dashboard.cards', order: 10 },
      part('checkin-button', 'Check-in', 'none'),
    ],
  },
  mfe_leaderboard: { tab: tab('leaderboard', 'Rankings', 'trophy', 40), parts: [] },
  mfe_referrals: {
    tab: tab('referrals', 'Referrals', 'users', 50),
    parts: [{ ...part('referral-panel', 'Referrals', 'card'), place: 'dashboard.cards', order: 30 }],
  },
  mfe_wallet: {
    parts: [
      { ...part('wallet-button', 'Wallet', 'button'), place: 'header.end', order: 10 },
      { ...part('badge-card', 'Badge of Honor', 'card'), place: 'dashboard.cards', order: 20 },
      part('purchase-button', 'Purchase', 'none'),
      { ...part('claim-banner', 'Special reward', 'none'), place: 'dashboard.top', order: 10 },
    ],
  },
};

/**
 * What a line's version brings.
 * @param {string} name
 * @param {import('./release-line.mjs').Facts} facts
 * @returns {import('@cord/build/module-facts.mjs').ModuleFacts}
 */
export function broughtBy(name, { tab, parts }) {
  if (parts) return { ...(tab && { tab }), parts };
  return FACTS_BEFORE[name] ?? { parts: [] };
}

function tab(id, en, icon, order) {
  return { id, words: { en }, icon, order, for: 'signed-in' };
}

function part(name, en, room) {
  return { name, words: { en }, room };
}
