/* Addresses of the rules: what a caller needs. The schemas stand in http/rules.ts. */

export const rules = { id: 'rules.list', method: 'GET', path: '/rules', access: 'public' } as const;
export const proposals = { id: 'admin.ruleProposals', method: 'GET', path: '/admin/rules', access: 'admin' } as const;
export const propose = { id: 'admin.proposeRules', method: 'POST', path: '/admin/rules', access: 'admin' } as const;
export const decide = { id: 'admin.decideRules', method: 'PUT', path: '/admin/rules/:id', access: 'admin' } as const;
