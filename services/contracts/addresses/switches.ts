/* Addresses of the kill switches: what a caller needs. The schemas stand in http/switches.ts. */

export const switches = { id: 'admin.switches', method: 'GET', path: '/admin/switches', access: 'admin' } as const;
export const throwSwitch = {
  id: 'admin.throwSwitch',
  method: 'PUT',
  path: '/admin/switches/:name',
  access: 'admin',
} as const;

/** The switch of a module, by its name in the registry. */
export const moduleSwitch = (module: string) => `module.${module}` as const;

/** Type of the refusal of a call whose switch is off. */
export const SWITCHED_OFF = 'switched-off';
