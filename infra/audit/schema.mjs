import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../dev/starter/paths.mjs';

/**
 * How documents of the ledger are read, whatever release wrote them: as this one has them.
 * @returns {Promise<{account: (stored: object) => object, entry: (stored: object) => object}>} each throws for what only a newer
 *   release reads: a guess would be a drift that there is not, or hide one that there is
 */
export async function ledgerReading() {
  const mining = pathToFileURL(join(ROOT, 'services/mining/dist/data.js')).href;
  const [{ upgrade }, { data }] = await Promise.all([import('@cord/kit/document-schema'), import(mining)]);
  const reading = (collection) => {
    const { schema } = data.find(({ name }) => name === collection);
    return (stored) => {
      try {
        return upgrade(stored, schema);
      } catch (error) {
        throw new Error(`${collection} ${stored._id}: ${error.message}`);
      }
    };
  };
  return { account: reading('accounts'), entry: reading('entries') };
}
