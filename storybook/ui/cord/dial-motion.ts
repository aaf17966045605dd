import { turnMs, turnOf } from '@cord/contracts/drawing/dial';

export type DialState = 'idle' | 'starting' | 'running' | 'stopping' | 'paused' | 'error';

export interface DialAim {
  state: DialState;
  /** Current session earnings, CORD; null while unknown. */
  earned: number | null;
  /** CORD per minute. */
  rate: number;
  /** False for reduced motion and Live motion: Off. */
  moving: boolean;
}

/** Time over which a drift is eased out: the interval between saves, ms. */
const EASE_MS = 10_000;
const RATE_MIN = 0.9;
const RATE_MAX = 1.1;
/** A larger drift, as a part of a turn, is not eased but jumped (another tab, a settled correction). */
const JUMP_OVER = 0.25;
const COAST_MS = 400;

/**
 * Turns the ring by the Web Animations API, outside React. One turn is one CORD, so the hand shows the decimals of the
 * session's earnings. Drift against the server's number is eased by the playback rate; it jumps only after a hidden page.
 */
export class DialMotion {
  private animation: Animation | null = null;
  private durationMs = 0;
  private state: DialState | null = null;
  private wasHidden = false;
  private easing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ring: SVGElement | HTMLElement) {
    this.ring.ownerDocument.addEventListener('visibilitychange', this.onVisibility);
  }

  /** Moves the ring to its position; call it on every change and every save. */
  aim({ state, earned, rate, moving }: DialAim): void {
    const durationMs = turnMs(rate);
    const before = this.state;
    this.state = state;
    if (moving && typeof this.ring.animate === 'function') {
      if (state === 'running' && durationMs !== null) {
        this.turn(turnOf(earned), durationMs);
        return;
      }
      if (state === 'stopping' && before === 'running' && durationMs !== null) {
        this.coast();
        return;
      }
      if (state === 'stopping' && before === 'stopping') return;
    }
    this.rest(state === 'idle' || state === 'starting' ? 0 : turnOf(earned));
  }

  dispose(): void {
    this.ring.ownerDocument.removeEventListener('visibilitychange', this.onVisibility);
    this.cancel();
  }

  private readonly onVisibility = () => {
    if (this.ring.ownerDocument.visibilityState === 'hidden') this.wasHidden = true;
  };

  private turn(target: number, durationMs: number): void {
    const jump = this.animation === null || this.durationMs !== durationMs || this.wasHidden;
    this.wasHidden = false;
    if (this.animation === null || this.durationMs !== durationMs) {
      this.cancel();
      this.durationMs = durationMs;
      this.ring.style.transform = '';
      this.animation = this.ring.animate([{ transform: 'rotate(0deg)' }, { transform: 'rotate(360deg)' }], {
        duration: durationMs,
        iterations: Number.POSITIVE_INFINITY,
      });
    }
    const drift = wrap(target - this.position());
    if (jump || Math.abs(drift) > JUMP_OVER) {
      this.animation.currentTime = target * durationMs;
      this.ease(1, 0);
      return;
    }
    const behindMs = drift * durationMs;
    const rate = Math.min(RATE_MAX, Math.max(RATE_MIN, 1 + behindMs / EASE_MS));
    this.ease(rate, rate === 1 ? 0 : behindMs / (rate - 1));
  }

  private ease(rate: number, forMs: number): void {
    clearTimeout(this.easing);
    this.animation?.updatePlaybackRate(rate);
    if (forMs > 0) this.easing = setTimeout(() => this.animation?.updatePlaybackRate(1), forMs);
  }

  /** Slows down to rest in 400 ms. */
  private coast(): void {
    const from = this.position();
    const way = this.durationMs > 0 ? COAST_MS / 2 / this.durationMs : 0;
    this.cancel();
    this.animation = this.ring.animate(
      [{ transform: `rotate(${from * 360}deg)` }, { transform: `rotate(${(from + way) * 360}deg)` }],
      { duration: COAST_MS, easing: 'cubic-bezier(0.33, 0.67, 0.67, 1)', fill: 'forwards' },
    );
    this.durationMs = 0;
  }

  private rest(turn: number): void {
    this.cancel();
    this.ring.style.transform = `rotate(${turn * 360}deg)`;
  }

  /** Position of the hand, as a part of a turn. */
  private position(): number {
    const now = Number(this.animation?.currentTime ?? 0);
    return this.durationMs > 0 ? (now % this.durationMs) / this.durationMs : 0;
  }

  private cancel(): void {
    clearTimeout(this.easing);
    this.animation?.cancel();
    this.animation = null;
    this.durationMs = 0;
  }
}

/** The shorter direction, from -0.5 to 0.5 of a turn. */
function wrap(turn: number): number {
  return turn - Math.round(turn);
}
