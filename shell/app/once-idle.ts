import { registerWorker } from '../offline/register-worker';
import { followTranslation } from './translated';

/* What the page does once it is there and nothing else is to be done: it runs as it comes. In a file of its own, which nothing on the first screen waits for. */

followTranslation();
registerWorker();
