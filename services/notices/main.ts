import { runService } from '@cord/kit/service';
import { service } from './service.js';

await runService(service);
