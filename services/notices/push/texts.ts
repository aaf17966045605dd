/** Why an endpoint is refused, as field errors (services/kit/problem.ts, `badInput`). */
export const REFUSALS = {
  unknownService: 'does not belong to a known push service',
  privateNetwork: 'points to a private network',
};
