export * from './endpoint.js';
export { ENDPOINTS } from './http/index.js';
export * from './problems.js';
export * from './texts.js';
