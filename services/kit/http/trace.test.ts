import { describe, expect, it } from 'vitest';
import { traceIdOf, traceparentOf } from './trace.js';

const GIVEN = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('the trace of a call', () => {
  it('continues as given', () => {
    expect(traceparentOf(GIVEN)).toBe(GIVEN);
    expect(traceIdOf(GIVEN)).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it.each([
    undefined,
    '',
    'nonsense',
    GIVEN.toUpperCase(),
    `${GIVEN}-more`,
    GIVEN.replace('b7ad6b7169203331', '0'.repeat(16)),
    GIVEN.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    `ff${GIVEN.slice(2)}`,
  ])('starts anew when the given one is invalid: %s', (given) => {
    const [begun, another] = [traceparentOf(given), traceparentOf(given)];
    expect(begun).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(begun).not.toBe(another);
    expect(traceparentOf(begun)).toBe(begun);
  });
});
