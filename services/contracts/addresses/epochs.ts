/* Addresses of epochs: what a caller needs. The schemas stand in http/epochs.ts. */

export const currentEpoch = { id: 'epochs.current', method: 'GET', path: '/epochs/current', access: 'public' } as const;
export const epochs = { id: 'epochs.list', method: 'GET', path: '/epochs', access: 'user' } as const;
export const previewEpoch = {
  id: 'epochs.preview',
  method: 'POST',
  path: '/epochs/preview',
  access: 'admin',
} as const;
export const createEpoch = { id: 'epochs.create', method: 'POST', path: '/epochs', access: 'admin' } as const;
export const updateEpoch = { id: 'epochs.update', method: 'PUT', path: '/epochs/:id', access: 'admin' } as const;
export const removeEpoch = { id: 'epochs.remove', method: 'DELETE', path: '/epochs/:id', access: 'admin' } as const;
