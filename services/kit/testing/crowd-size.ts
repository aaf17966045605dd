/**
 * Number of people for a test about crowds.
 * @param few in `npm test`: enough for the test to be able to fail
 * @param many in `npm run proof -- crowds`
 */
export function crowdSize(few: number, many: number): number {
  return process.env.PROOF === '1' ? many : few;
}
