/* Addresses of faults that browsers report: what a caller needs. The schemas stand in http/client-errors.ts. */

export const report = { id: 'clientErrors.report', method: 'POST', path: '/client-errors', access: 'public' } as const;
export const list = { id: 'admin.clientErrors', method: 'GET', path: '/admin/client-errors', access: 'admin' } as const;
