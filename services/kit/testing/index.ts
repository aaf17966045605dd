/* What services' tests stand on: true servers, true sign-in state, a clock to move, a client. */
export * from './backend.js';
export * from './bad-input.js';
export * from './call.js';
export * from './front.js';
export * from './live.js';
export * from './nats-server.js';
export * from './service.js';
export * from './signer.js';
export * from './store-server.js';
