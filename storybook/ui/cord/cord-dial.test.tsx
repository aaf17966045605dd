import { dialGeometry, isParted, lobesBesideHand, turnMs, turnOf } from '@cord/contracts/drawing/dial';
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CordDial, type CordDialProps } from './cord-dial';
import { readingPx } from './dial-reading';

const ADDS = { base: 0.5, age: 1.25, epoch: 0.175 };

/** What the Web Animations API would do, as far as the dial uses it. */
class FakeAnimation {
  currentTime = 0;
  playbackRate = 1;
  cancelled = false;
  constructor(
    readonly keyframes: Keyframe[],
    readonly options: KeyframeAnimationOptions,
  ) {}
  updatePlaybackRate(rate: number) {
    this.playbackRate = rate;
  }
  cancel() {
    this.cancelled = true;
  }
}

let animations: FakeAnimation[] = [];
const ringAnimations = () =>
  animations.filter((animation) => String(animation.keyframes[0]?.transform).startsWith('rotate'));
let visibility: DocumentVisibilityState = 'visible';

beforeEach(() => {
  animations = [];
  visibility = 'visible';
  vi.useFakeTimers();
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
  Element.prototype.animate = function animate(keyframes, options) {
    const animation = new FakeAnimation(keyframes as Keyframe[], options as KeyframeAnimationOptions);
    animations.push(animation);
    return animation as unknown as Animation;
  };
});
afterEach(() => {
  for (const name of ['data-motion', 'data-stale']) document.documentElement.removeAttribute(name);
});

const dial = (props: Partial<CordDialProps> = {}) => (
  <CordDial state="running" earned={419.33} rate={1.925} adds={ADDS} efficiency={100} size={272} {...props} />
);
const ring = (container: HTMLElement) => {
  const svg = container.querySelector<SVGElement>('[data-ring]');
  if (!svg) throw new Error('no ring');
  return svg;
};
const setVisibility = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('the drawing of the dial', () => {
  it('points the hand at the decimals of the session earnings', () => {
    expect(turnOf(419.33)).toBeCloseTo(0.33, 9);
    expect(turnOf(0)).toBe(0);
    expect(turnOf(null)).toBe(0);
    render(dial());
    const [turning] = ringAnimations();
    expect(Number(turning?.currentTime) / Number(turning?.options.duration)).toBeCloseTo(0.33, 6);
  });
  it('turns the hand once per CORD', () => {
    expect(turnMs(1.925)).toBeCloseTo(31_168.8, 1);
    expect(turnMs(6.825)).toBeCloseTo(8_791.2, 1);
    expect(turnMs(0.5)).toBe(120_000);
    expect(turnMs(0)).toBeNull();
    render(dial({ rate: 0.5 }));
    expect(ringAnimations()[0]?.options).toMatchObject({ duration: 120_000, iterations: Number.POSITIVE_INFINITY });
  });
  it('colours the lobes by strand; the hand takes the place of six', () => {
    const geometry = dialGeometry(272);
    expect(geometry.lobes).toBe(100);
    expect(dialGeometry(148).lobes).toBe(50);
    expect(lobesBesideHand(geometry)).toHaveLength(94);
    const { container } = render(dial());
    expect(container.querySelectorAll('[data-strand]')).toHaveLength(94);
    const ages = container.querySelectorAll('[data-strand="age"]').length;
    expect(ages).toBeGreaterThanOrEqual(60);
    expect(ages).toBeLessThanOrEqual(65);
    expect(container.querySelectorAll('[data-strand="badge"]')).toHaveLength(0);
  });
  it('shows lost efficiency as hollow lobes', () => {
    const { container } = render(dial({ efficiency: 98 }));
    expect(container.querySelectorAll('[data-strand]')).toHaveLength(92);
  });
  it('is hollow when idle; an error parts eight lobes', () => {
    const idle = render(dial({ state: 'idle', earned: 0 }));
    const hollow = () => idle.container.querySelectorAll('[stroke="var(--y-void)"] path').length;
    expect([idle.container.querySelectorAll('[data-strand]').length, hollow()]).toEqual([0, 94]);
    idle.rerender(dial({ state: 'error', earned: 0 }));
    expect([idle.container.querySelectorAll('[data-strand]').length, hollow()]).toEqual([0, 86]);
    const geometry = dialGeometry(272);
    expect(lobesBesideHand(geometry).filter((i) => isParted(geometry, i))).toHaveLength(8);
  });
  it('keeps a paused hand at the last credited value, and an idle one at .0', () => {
    const { container, rerender } = render(dial({ state: 'paused', earned: 924.25 }));
    expect(ring(container).style.transform).toBe('rotate(90deg)');
    for (const state of ['idle', 'starting'] as const) {
      rerender(dial({ state, earned: 924.25 }));
      expect(ring(container).style.transform).toBe('rotate(0deg)');
    }
  });
  it('shows long numbers in smaller sizes', () => {
    expect([6, 8, 10, 12].map((n) => readingPx(430, n))).toEqual([64, 46, 40, 32]);
    expect([6, 8, 10, 12].map((n) => readingPx(272, n))).toEqual([32, 24, 22, 20]);
  });
  it('is decoration for a screen reader', () => {
    const { container } = render(dial());
    for (const svg of container.querySelectorAll('svg')) expect(svg.getAttribute('aria-hidden')).toBe('true');
  });
});

describe('the motion of the dial', () => {
  it('corrects a small drift after a save by the playback rate, then runs at normal speed', () => {
    const { rerender } = render(dial());
    const [turning] = ringAnimations();
    // The server is 0.01 CORD ahead: 312 ms of the turn, made up within ten seconds.
    rerender(dial({ earned: 419.34 }));
    expect(ringAnimations()).toHaveLength(1);
    expect(turning?.playbackRate).toBeCloseTo(1 + 311.7 / 10_000, 3);
    act(() => vi.advanceTimersByTime(10_100));
    expect(turning?.playbackRate).toBe(1);
  });
  it('changes its speed by a tenth at most', () => {
    const { rerender } = render(dial());
    rerender(dial({ earned: 419.53 }));
    expect(ringAnimations()[0]?.playbackRate).toBe(1.1);
    rerender(dial({ earned: 419.2 }));
    expect(ringAnimations()[0]?.playbackRate).toBe(0.9);
  });
  it('corrects a second drift for its whole time', () => {
    const { rerender } = render(dial());
    rerender(dial({ earned: 419.34 }));
    act(() => vi.advanceTimersByTime(9_000));
    rerender(dial({ earned: 419.35 }));
    act(() => vi.advanceTimersByTime(9_000));
    expect(ringAnimations()[0]?.playbackRate).toBeCloseTo(1 + 623.4 / 10_000, 3);
  });
  it('corrects a drift over the end of a turn in the shorter direction', () => {
    const { rerender } = render(dial({ earned: 419.97 }));
    rerender(dial({ earned: 420.01 }));
    expect(ringAnimations()[0]?.playbackRate).toBe(1.1);
    rerender(dial({ earned: 419.95 }));
    expect(ringAnimations()[0]?.playbackRate).toBeLessThan(1);
  });
  it.each([419.63, 419.03])('jumps when the drift exceeds a quarter of a turn, to %s', (earned) => {
    const { rerender } = render(dial());
    rerender(dial({ earned }));
    const [turning] = ringAnimations();
    expect(turning?.playbackRate).toBe(1);
    expect(Number(turning?.currentTime) / Number(turning?.options.duration)).toBeCloseTo(earned - 419, 6);
  });
  it('jumps to the value after the page was hidden', () => {
    const { rerender } = render(dial());
    setVisibility('hidden');
    setVisibility('visible');
    rerender(dial({ earned: 419.4 }));
    const [turning] = ringAnimations();
    expect(turning?.playbackRate).toBe(1);
    expect(Number(turning?.currentTime) / Number(turning?.options.duration)).toBeCloseTo(0.4, 6);
    rerender(dial({ earned: 419.41 }));
    expect(turning?.playbackRate).toBeGreaterThan(1);
  });
  it('adopts a new rate at once, from the current position of the hand', () => {
    const { rerender } = render(dial({ earned: 419.1 }));
    rerender(dial({ earned: 419.1, rate: 2.02125 }));
    const [old, next] = ringAnimations();
    expect(old?.cancelled).toBe(true);
    expect(Number(next?.options.duration)).toBeCloseTo(60_000 / 2.02125, 6);
    expect(Number(next?.currentTime) / Number(next?.options.duration)).toBeCloseTo(0.1, 6);
  });
  it('slows to rest in 400 ms when stopping, and stays there until the final number', () => {
    const { rerender } = render(dial());
    rerender(dial({ state: 'stopping' }));
    const coasting = ringAnimations()[1];
    expect(coasting?.options).toMatchObject({ duration: 400, fill: 'forwards' });
    rerender(dial({ state: 'stopping', earned: 419.36 }));
    expect([ringAnimations().length, coasting?.cancelled]).toEqual([2, false]);
  });
  it('stands still with Live motion: Off, and steps on each save', () => {
    document.documentElement.setAttribute('data-motion', 'off');
    const { container, rerender } = render(dial());
    expect(ringAnimations()).toHaveLength(0);
    expect(Number.parseFloat(ring(container).style.transform.slice(7))).toBeCloseTo(118.8, 3);
    rerender(dial({ earned: 419.5 }));
    expect(ring(container).style.transform).toBe('rotate(180deg)');
  });
  it('stands still at the last known number while the server is unreachable', () => {
    document.documentElement.setAttribute('data-stale', '');
    const { container } = render(dial());
    expect(ringAnimations()).toHaveLength(0);
    expect(Number.parseFloat(ring(container).style.transform.slice(7))).toBeCloseTo(118.8, 3);
  });
  it.each(['data-motion', 'data-stale'])('stops and resumes with %s of the page', async (name) => {
    const set = (value: string | null) =>
      act(async () => {
        if (value === null) document.documentElement.removeAttribute(name);
        else document.documentElement.setAttribute(name, value);
      });
    render(dial());
    await set('off');
    expect(ringAnimations().map(({ cancelled }) => cancelled)).toEqual([true]);
    await set(null);
    expect(ringAnimations().map(({ cancelled }) => cancelled)).toEqual([true, false]);
  });
  it('stands still while the device prefers reduced motion', () => {
    const reduced = { matches: true, onChange: () => {} };
    vi.stubGlobal('matchMedia', () => ({
      matches: reduced.matches,
      addEventListener: (_name: string, listener: () => void) => {
        reduced.onChange = listener;
      },
      removeEventListener: () => undefined,
    }));
    render(dial());
    expect(ringAnimations()).toHaveLength(0);
    reduced.matches = false;
    act(() => reduced.onChange());
    expect(ringAnimations()).toHaveLength(1);
  });
  it('leaves no animation running after unmount', () => {
    const { unmount } = render(dial());
    unmount();
    expect(ringAnimations().every((animation) => animation.cancelled)).toBe(true);
  });
});
