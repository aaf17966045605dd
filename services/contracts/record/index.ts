export { examples } from './examples.js';
export { history, linesOf } from './history.js';
export { messages } from './messages.js';
export { findings, findingText, releaseOf } from './release.js';
