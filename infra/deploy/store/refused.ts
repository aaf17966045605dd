/** What the store or a check says no to, with a reason for the person who asked. */
export class Refused extends Error {
  override name = 'Refused';
}
