import { REPLICAS_MAX as REPLICAS_OF_STREAMS } from '@cord/contracts/events/streams';
import { baseConfig } from '@cord/kit/config';
import { readBy, unknownVariables, variableOf } from '@cord/kit/environment';
import { REPLICAS_MAX, VARIABLES } from '@cord/kit/variables';
import { describe, expect, test } from 'vitest';
import { authConfig } from '../../../services/auth/config.ts';
import { config as mining } from '../../../services/mining/config.ts';
import { config as notices } from '../../../services/notices/config.ts';
import { config as rewards } from '../../../services/rewards/config.ts';
import { envOf } from '../starter/services.ts';

const named = Object.keys(VARIABLES);
const OF_ALL = {
  auth: authConfig,
  mining,
  notices,
  rewards,
  tasks: baseConfig,
  referrals: baseConfig,
  leaderboard: baseConfig,
};

describe('the table of variables', () => {
  test.each(Object.entries(OF_ALL))(
    'lists every variable that %s declares, and names it as the reader of its own',
    (service, { shape }) => {
      // A NAME_FILE that auth reads itself is documented in the row of NAME.
      const declared = Object.keys(shape).filter((name) => !name.endsWith('_FILE'));
      expect(declared.filter((name) => variableOf(name) === undefined)).toEqual([]);
      const own = declared.filter((name) => !(name in baseConfig.shape));
      expect(readBy(service)).toEqual(expect.arrayContaining(own));
    },
  );

  test('names no service as the reader of a variable that it does not declare, CALLER_KEY aside', () => {
    for (const [service, { shape }] of Object.entries(OF_ALL))
      expect(
        readBy(service).filter((name) => !(name in shape) && name !== 'CALLER_KEY'),
        service,
      ).toEqual([]);
  });

  test('has the same maximum number of replicas as the streams', () => {
    expect(REPLICAS_MAX).toBe(REPLICAS_OF_STREAMS);
  });
});

describe('the environment of a process', () => {
  test('has the variables that it reads from outside, the files of those it re-reads, and none set by the start', () => {
    const all = Object.fromEntries(named.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, 'x']));
    const of = (process?: string) => Object.keys(envOf({ ...all, EDITOR: 'vi', OTEL_SERVICE: 'x' }, process)).sort();
    expect(of()).toEqual(['DISCORD_CLIENT_ID', 'HOST', 'LOG_LEVEL', 'NODE_ENV', 'OTEL_SERVICE', 'PORT']);
    expect(of('auth')).toEqual(expect.arrayContaining(['SESSION_SECRET', 'SESSION_SECRET_FILE', 'TOMBSTONE_KEY']));
    expect(of('rewards')).not.toEqual(expect.arrayContaining([expect.stringMatching(/TOMBSTONE|SIGNATURES|SESSION/)]));
    expect(of('gateway')).not.toContain('UPSTREAMS');
    expect(of('tasks')).not.toContain('ADDRESS_HASH_KEY');
  });
});

describe('a misspelt or foreign variable', () => {
  test.each(['CORD_DTA', 'DISCORD_CLIENT_SECERT', 'RATE_LIMIT_SCAEL', 'SESSION_SECRET_OLD', 'NATS_RIGHTS_CREDZ'])(
    '%s is reported as unknown',
    (name) => {
      expect(unknownVariables({ [name]: 'x', PORT: '1' })).toEqual([name]);
    },
  );

  test('is not reported with a foreign prefix, an empty value, or the _FILE of a secret', () => {
    const others = { SESSION_MANAGER: 'x', NODE_OPTIONS: 'x', SHELL: 'x', LOG_DIR: 'x', OTEL_X: 'x', CORD_Y: '' };
    expect(unknownVariables({ ...others, TOMBSTONE_KEY_FILE: 'x', DISCORD_CLIENT_SECRET_FILE: 'x' })).toEqual([]);
  });
});
