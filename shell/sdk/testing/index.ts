/** The sdk mock: for module tests and stories. */
export { translate } from '../i18n';
export * as at from './at';
export * from './fake-api';
export * from './in-sdk';
export * from './patience';
export * from './samples';
export * from './test-sdk';
