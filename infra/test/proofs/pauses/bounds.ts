/** Bounds of the proof, each set by an environment variable. */
export interface Bounds {
  /** Maximum length of a pause, ms: the first pause is the shortest, the last the longest. */
  pauseMsMax: number;
  pauseMsMin: number;
  /** Number of pauses per process. */
  rounds: number;
  /** Offsets of single clocks, ms. */
  clocks: readonly number[];
  /** How long a process works with a moved clock, ms. */
  aheadMs: number;
  /** Number of concurrent newcomers. */
  lanes: number;
  /** Names of the processes to pause; all of them by default. */
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
