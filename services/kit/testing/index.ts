/* Tools for services' tests: real servers, real sign-in state, a movable clock, a client. */
export * from './backend.js';
export * from './bad-input.js';
export * from './call.js';
export * from './front.js';
export * from './live.js';
export * from './nats-server.js';
export * from './service.js';
export * from './signer.js';
export * from './store-server.js';
