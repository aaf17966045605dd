// @ts-check
// For `node --import`: from now on the process finds the names of STORE_HOSTS, JSON of addresses by name.
import dns from 'node:dns';

/** @type {Record<string, string>} */
const addresses = JSON.parse(process.env.STORE_HOSTS ?? '{}');
const lookup = /** @type {(...args: unknown[]) => void} */ (dns.lookup);
/** @param {string} name @param {unknown[]} rest */
const own = (name, ...rest) => lookup(addresses[name] ?? name, ...rest);
Object.assign(dns, { lookup: own });
