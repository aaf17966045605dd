/* Addresses of the kill switches: what a caller needs. The schemas stand in http/switches.ts. */

import { addressOf } from '../address.js';

export const switches = addressOf('admin.switches', 'GET', '/admin/switches', 'admin');
export const throwSwitch = addressOf('admin.throwSwitch', 'PUT', '/admin/switches/:name', 'admin');

/** The switch of a module, by its name in the registry. */
export const moduleSwitch = (module: string) => `module.${module}` as const;

/** Type of the refusal of a call whose switch is off. */
export const SWITCHED_OFF = 'switched-off';
