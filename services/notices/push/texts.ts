/** Why an endpoint is none to push to, said of the field (services/kit/problem.ts, `badInput`). */
export const REFUSALS = {
  unknownService: 'is at none of the push services that this system knows',
  privateNetwork: 'leads into a private network',
};
