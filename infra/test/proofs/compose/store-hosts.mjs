// @ts-check
// For `node --import`: makes the process resolve the names in STORE_HOSTS, a JSON object of addresses by name.
import dns from 'node:dns';

/** @type {Record<string, string>} */
const addresses = JSON.parse(process.env.STORE_HOSTS ?? '{}');
const lookup = /** @type {(...args: unknown[]) => void} */ (dns.lookup);
/** @param {string} name @param {unknown[]} rest */
const own = (name, ...rest) => lookup(addresses[name] ?? name, ...rest);
Object.assign(dns, { lookup: own });
