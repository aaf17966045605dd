import { describe, expect, it } from 'vitest';
import { CLOCK_ANSWER_MS_MAX, CLOCK_OFF_MS_MAX } from './bounds.js';
import { createClockWatch } from './clock-watch.js';

const log = { error: () => undefined, info: () => undefined };

/** A machine whose clock may be set, beside one that cannot be set, and another machine. */
function machines(others: readonly (() => Promise<number>)[] = [], bounds: { answerMsMax?: number } = {}) {
  const at = { ownMs: 1_000_000, steadyMs: 0, otherMs: 1_000_000, away: false, delayMs: 0, onItsWay: () => {} };
  const pass = (ms: number) => {
    at.ownMs += ms;
    at.steadyMs += ms;
    at.otherMs += ms;
  };
  const read = async () => {
    if (at.away) throw new Error('away');
    const theirMs = at.otherMs;
    pass(at.delayMs);
    at.onItsWay();
    return theirMs;
  };
  const watch = createClockWatch({
    sources: [{ name: 'store', read }, ...others.map((readOther) => ({ name: 'nats', read: readOther }))],
    log: log as never,
    now: () => at.ownMs,
    steady: () => at.steadyMs,
    ...bounds,
  });
  return { at, pass, watch };
}

describe('a clock', () => {
  it.each([
    ['ahead', CLOCK_OFF_MS_MAX + 1],
    ['behind', -CLOCK_OFF_MS_MAX - 1],
  ])(
    'that is %s of another by more than the bound is distrusted, and trusted again once corrected',
    async (direction, ms) => {
      const { at, watch } = machines();
      expect(await watch.check()).toBe(true);
      at.ownMs += ms - Math.sign(ms);
      expect(await watch.check()).toBe(true);
      at.ownMs += Math.sign(ms);
      expect(await watch.check()).toBe(false);
      expect(watch.wrong()).toMatch(direction);
      expect(watch.off().get('store')).toBe(ms);
      at.ownMs -= ms;
      expect(await watch.check()).toBe(true);
      expect(watch.wrong()).toBeNull();
    },
  );

  it('that is changed is noticed at once, before any comparison', async () => {
    const { at, pass, watch } = machines();
    await watch.check();
    pass(60_000);
    expect(watch.wrong()).toBeNull();
    at.ownMs += 365 * 86_400_000;
    expect(watch.wrong()).toMatch('ahead');
    at.ownMs -= 365 * 86_400_000;
    expect(watch.wrong()).toBeNull();
  });

  it('that was corrected is trusted after the next comparison', async () => {
    const { at, watch } = machines();
    at.otherMs += 60_000;
    await watch.check();
    expect(watch.wrong()).toMatch('behind');
    at.ownMs += 60_000;
    expect(watch.wrong()).not.toBeNull();
    await watch.check();
    expect(watch.wrong()).toBeNull();
  });

  it.each([
    ['ahead', 86_400_000],
    ['behind', -86_400_000],
  ])('that is set %s while a response is on its way is distrusted', async (direction, ms) => {
    const { at, watch } = machines();
    at.delayMs = 10_000;
    at.onItsWay = () => {
      at.ownMs += ms;
      at.onItsWay = () => undefined;
    };
    expect(await watch.check()).toBe(false);
    expect(watch.wrong()).toMatch(direction);
  });

  it('that is changed after one source responded and before another failed is distrusted', async () => {
    const { at, watch } = machines([
      async () => {
        await new Promise(setImmediate);
        at.ownMs += 86_400_000;
        throw new Error('away');
      },
    ]);
    await watch.check();
    expect(watch.wrong()).toMatch('ahead');
  });

  it('is not off because a response was slow', async () => {
    const { at, watch } = machines();
    at.delayMs = CLOCK_ANSWER_MS_MAX;
    expect(await watch.check()).toBe(true);
  });

  it('that was changed is not confirmed by a request that took as long as the change', async () => {
    const { at, pass, watch } = machines([
      async () => {
        pass(86_400_000);
        return at.otherMs;
      },
    ]);
    at.away = true;
    at.ownMs += 86_400_000;
    expect(await watch.check()).toBe(false);
    expect(watch.wrong()).toMatch('ahead');
  });

  it.each([0, 1, CLOCK_OFF_MS_MAX])(
    'is not confirmed by a response that took more than %i ms, when that is the bound',
    async (bound) => {
      const { at, watch } = machines([], { answerMsMax: bound });
      at.delayMs = bound;
      expect(await watch.check()).toBe(true);
      at.delayMs = bound + 1;
      expect(await watch.check()).toBe(false);
    },
  );

  it('keeps its last comparison while the other clock does not respond, and is not confirmed', async () => {
    const { at, watch } = machines();
    at.away = true;
    expect(await watch.check()).toBe(false);
    expect(watch.wrong()).toBeNull();
    at.away = false;
    at.otherMs += 60_000;
    await watch.check();
    at.away = true;
    expect(await watch.check()).toBe(false);
    expect(watch.wrong()).toMatch('behind');
  });
});
