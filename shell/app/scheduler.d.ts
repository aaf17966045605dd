/** React's scheduler, of which only this is used; its published types leave it out. */
declare module 'scheduler' {
  /** Makes React's slices as long as a frame. @param fps 1 to 125; 0: 5 ms again */
  export function unstable_forceFrameRate(fps: number): void;
}
