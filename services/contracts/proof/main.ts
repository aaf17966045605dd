import { verifyFile } from './verify-file.js';

/* verify.mjs: the verifier as one file without packages, as `GET /verify.mjs` serves it. */
process.exitCode = await verifyFile(process.argv.slice(2));
