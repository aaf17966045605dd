/* Addresses of corrections of a balance: what a caller needs. The schemas stand in http/corrections.ts. */

export const list = { id: 'admin.corrections', method: 'GET', path: '/admin/corrections', access: 'admin' } as const;
export const propose = {
  id: 'admin.proposeCorrection',
  method: 'POST',
  path: '/admin/users/:id/corrections',
  access: 'admin',
} as const;
export const decide = {
  id: 'admin.decideCorrection',
  method: 'PUT',
  path: '/admin/corrections/:id',
  access: 'admin',
} as const;
