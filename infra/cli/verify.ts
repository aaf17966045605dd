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
    .summary("verify a proof of a user's ledger")
    .description(
      'Checks each entry of a proof, and the path from them to the root of the day and to the log. Exit code 1 when it is invalid or the signature was not checked.',
    )
    .addArgument(new Argument('<file>', 'a proof saved by the page'))
    .option('--vkey <key...>', 'keys of the log; one of them must have signed the checkpoint')
    .option('--unsigned', 'exit code 0 even if no key is given and the signature is not checked')
    .option('--before <file>', 'an older proof of the account: the file must begin with its entries')
    .option('--policy <file>', 'a policy (C2SP tlog-policy): a quorum of its witnesses must have signed the checkpoint')
    .option('--log <url>', 'the address of the log (SITE/api/log), whose records must yield the checkpoint of the file')
    .option(
      '--rpc <url>',
      'a Solana RPC node, which must have the checkpoint of the file as a memo; with --memo-signer',
    )
    .option('--memo-signer <address>', 'the account that writes the memos of the log')
    .action(async (file: string, { vkey = [], unsigned, before, policy, log, rpc, memoSigner }: OfVerify) => {
      const texts = { before, policy, log, rpc, 'memo-signer': memoSigner };
      const given = Object.entries(texts).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
      const keys = vkey.flatMap((key) => ['--vkey', key]);
      process.exitCode = await verifyFile([file, ...keys, ...(unsigned ? ['--unsigned'] : []), ...given]);
    });
}
