/** The one used function of React's scheduler, which its published types omit. */
declare module 'scheduler' {
  /** Sets React's time slice to one frame. @param fps 1 to 125; 0: 5 ms again */
  export function unstable_forceFrameRate(fps: number): void;
}
