export { history, linesOf } from './history.js';
export { messages } from './messages.js';
export { findings, findingText, goldensOf, releaseOf } from './release.js';
