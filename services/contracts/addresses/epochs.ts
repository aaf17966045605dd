/* Addresses of epochs, for callers. The schemas are in http/epochs.ts. */

import { addressOf } from '../address.js';

export const currentEpoch = addressOf('epochs.current', 'GET', '/epochs/current', 'public');
export const epochs = addressOf('epochs.list', 'GET', '/epochs', 'user');
export const previewEpoch = addressOf('epochs.preview', 'POST', '/epochs/preview', 'admin');
export const createEpoch = addressOf('epochs.create', 'POST', '/epochs', 'admin');
export const updateEpoch = addressOf('epochs.update', 'PUT', '/epochs/:id', 'admin');
export const removeEpoch = addressOf('epochs.remove', 'DELETE', '/epochs/:id', 'admin');
