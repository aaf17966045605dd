import { verifyFile } from './verify-file.js';

/* Entry point of verify.mjs: the verifier in one file without packages, served at `GET /verify.mjs`. */
process.exitCode = await verifyFile(process.argv.slice(2));
