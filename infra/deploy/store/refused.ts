/** A refusal by the store or a check, with a reason for the user. */
export class Refused extends Error {
  override name = 'Refused';
}
