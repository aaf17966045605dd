/**
 * How many people a promise about many is shown with.
 * @param few in `npm test`: enough for the promise to be able to fail
 * @param many in `npm run proof -- crowds`
 */
export function crowd(few: number, many: number): number {
  return process.env.PROOF === '1' ? many : few;
}
