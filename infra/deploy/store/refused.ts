/** What the store or a check refuses, with a reason for the person who requested it. */
export class Refused extends Error {
  override name = 'Refused';
}
