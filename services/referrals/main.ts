import { runService } from '@cord/kit/service';
import { referralsService } from './service.js';

await runService(referralsService());
