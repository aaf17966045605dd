/** Keys: a sorted set for each ranking; a hash from user id to the miner as JSON. */
export const REDIS_KEYS = {
  'all-time': 'board:all',
  monthly: 'board:month',
  weekly: 'board:week',
  daily: 'board:day',
  miners: 'miners',
};
