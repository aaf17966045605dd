import { runService } from '@cord/kit/service';
import { mining } from './service.js';

await runService(mining);
