/**
 * How a view's query keeps up while it is on screen: it looks that often, and a second view of the same reads no sooner.
 * @param ms between two looks
 */
export function lookEvery(ms: number): { refetchInterval: number; staleTime: number } {
  return { refetchInterval: ms, staleTime: ms };
}
