import { runService } from '@cord/kit/service';
import { authService } from './service.js';

await runService(authService());
