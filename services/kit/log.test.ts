import { describe, expect, it } from 'vitest';
import { createLogger } from './log.js';

describe('the log', () => {
  const lines: string[] = [];
  const log = createLogger('mining', 'info', { write: (line: string) => void lines.push(line) });

  it('is JSON lines with service, level and an ISO time', () => {
    log.info({ requestId: 'r-1' }, 'hello');
    const line = JSON.parse(lines.at(-1) ?? '');
    expect(line).toMatchObject({ level: 'info', service: 'mining', requestId: 'r-1', msg: 'hello' });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  it('shows no secret, at the top or further in', () => {
    log.info({
      token: 'hunter2',
      headers: { cookie: 'hunter2', authorization: 'hunter2' },
      a: { b: { password: 'hunter2' } },
    });
    expect(lines.at(-1)).not.toContain('hunter2');
  });

  it('an error has its stack and cause, and nothing that was hung on it', () => {
    const err = Object.assign(new Error('outer', { cause: new Error('inner') }), { config: { password: 'hunter2' } });
    log.error({ err }, 'failed');
    expect(lines.at(-1)).toContain('inner');
    expect(lines.at(-1)).not.toContain('hunter2');
  });
});
