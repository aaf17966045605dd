/** Bounds of the proof, each by its variable of the environment. */
export interface Bounds {
  /** A process stands still for a time up to this, ms: the first pause is the shortest, the last the longest. */
  pauseMsMax: number;
  pauseMsMin: number;
  /** How often each process is stopped. */
  rounds: number;
  /** How far single clocks are moved, ms. */
  clocks: readonly number[];
  /** How long a process works with a clock that was moved, ms. */
  aheadMs: number;
  /** People who come at a time. */
  lanes: number;
  /** Processes of the system that are left out, by name; none unless somebody looks into one. */
  victims: readonly string[];
}

const numbers = (text: string) => text.split(',').filter(Boolean).map(Number);

/** @param env PAUSES_* */
export function boundsOf(env: NodeJS.ProcessEnv): Bounds {
  const number = (name: string, or: number) => (env[name] === undefined ? or : Number(env[name]));
  return {
    pauseMsMin: number('PAUSES_MS_MIN', 1_000),
    pauseMsMax: number('PAUSES_MS_MAX', 30_000),
    rounds: number('PAUSES_ROUNDS', 1),
    clocks: numbers(env.PAUSES_CLOCKS ?? '60000,3600000,86400000'),
    aheadMs: number('PAUSES_AHEAD_MS', 5_000),
    lanes: number('PAUSES_LANES', 4),
    victims: (env.PAUSES_VICTIMS ?? 'auth,mining,tasks,referrals,rewards,leaderboard,notices,gateway,nats,store').split(
      ',',
    ),
  };
}
