import { registerWorker } from '../offline/register-worker';
import { followTranslation } from './translated';

/* Work for an idle page; it runs on import. A separate file, so that the first screen does not wait for it. */

followTranslation();
registerWorker();
