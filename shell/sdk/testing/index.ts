/** The sdk mock: for module tests and stories. */
export * from './fake-api';
export * from './in-sdk';
export * from './patience';
export * from './samples';
export * from './test-sdk';
