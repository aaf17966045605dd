import { Argument, Command } from 'commander';
import { verifyFile } from '../../services/contracts/proof/verify-file.ts';

interface OfVerify {
  vkey?: string[];
  unsigned?: boolean;
  before?: string;
  policy?: string;
  log?: string;
  rpc?: string;
  memoSigner?: string;
}

/** `cord verify`: checks a proof of a user's ledger, like the page and verify.mjs (services/contracts/proof/README.md). */
export function verifyCommand(): Command {
  return new Command('verify')
    .summary("check a proof of somebody's ledger")
    .description(
      'Checks each entry of a proof, and the way from them to the root of the day and to the log. Exit code 1 where it does not hold or the signature was not checked.',
    )
    .addArgument(new Argument('<file>', 'a proof as the page saves it'))
    .option('--vkey <key...>', 'keys of the log, of which one must have signed its checkpoint')
    .option('--unsigned', 'exit code 0 also where no key is given, so that the signature is not checked')
    .option('--before <file>', 'an older proof of the account: its entries must be the first ones of the file')
    .option('--policy <file>', 'a policy (C2SP tlog-policy): a quorum of its witnesses must have signed the checkpoint')
    .option('--log <url>', 'the address of the log (SITE/api/log), whose records must make the checkpoint of the file')
    .option('--rpc <url>', 'a node of Solana, which must have the checkpoint of the file as a memo; with --memo-signer')
    .option('--memo-signer <address>', 'the account that writes the memos of the log')
    .action(async (file: string, { vkey = [], unsigned, before, policy, log, rpc, memoSigner }: OfVerify) => {
      const texts = { before, policy, log, rpc, 'memo-signer': memoSigner };
      const given = Object.entries(texts).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
      const keys = vkey.flatMap((key) => ['--vkey', key]);
      process.exitCode = await verifyFile([file, ...keys, ...(unsigned ? ['--unsigned'] : []), ...given]);
    });
}
