/* Addresses of the kill switches, for callers. The schemas are in http/switches.ts. */

import { addressOf } from '../address.js';

export const switches = addressOf('admin.switches', 'GET', '/admin/switches', 'admin');
export const throwSwitch = addressOf('admin.throwSwitch', 'PUT', '/admin/switches/:name', 'admin');

/** Name of a module's switch. @param module its name in the registry */
export const moduleSwitch = (module: string) => `module.${module}` as const;

/** Problem type of a call refused because its switch is off. */
export const SWITCHED_OFF = 'switched-off';
