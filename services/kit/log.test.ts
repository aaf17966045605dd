import { describe, expect, it } from 'vitest';
import { runCaused } from './cause.js';
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

  it('has the request context on each line, also of a child, once; what the line itself names wins', () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    runCaused({ requestId: 'r-12345678', traceparent: `00-${traceId}-b7ad6b7169203331-01` }, () => {
      log.child({ route: 'a.b' }).info('first');
      log.info({ requestId: 'its-own' }, 'second');
    });
    log.info('third');
    const [first = '', second = '', third = ''] = lines.slice(-3);
    expect(JSON.parse(first)).toMatchObject({ route: 'a.b', requestId: 'r-12345678', traceId });
    expect([first.split('requestId').length, second.split('requestId').length]).toEqual([2, 2]);
    expect(JSON.parse(second)).toMatchObject({ requestId: 'its-own', traceId });
    expect(third).not.toMatch(/requestId|traceId/);
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
