import { Argument, Command } from 'commander';
import { verifyFile } from '../../services/contracts/proof/verify-file.ts';

interface OfVerify {
  vkey?: string[];
  policy?: string;
  rpc?: string;
  memoSigner?: string;
}

/** `cord verify`: the check of a proof of somebody's ledger, as the page and verify.mjs make it (services/contracts/proof/README.md). */
export function verifyCommand(): Command {
  return new Command('verify')
    .summary("check a proof of somebody's ledger")
    .description(
      'Checks each entry of a proof, and the way from them to the root of the day and to the log. Exit code 1 where it does not hold.',
    )
    .addArgument(new Argument('<file>', 'a proof as the page saves it'))
    .option('--vkey <key...>', 'keys of the log; without, its signature is not checked')
    .option('--policy <file>', 'a policy (C2SP tlog-policy): a quorum of its witnesses must have signed the checkpoint')
    .option('--rpc <url>', 'a node of Solana, which must have the checkpoint of the file as a memo; with --memo-signer')
    .option('--memo-signer <address>', 'the account that writes the memos of the log')
    .action(async (file: string, { vkey = [], policy, ...memo }: OfVerify) => {
      const ofMemo = [
        ...(memo.rpc ? ['--rpc', memo.rpc] : []),
        ...(memo.memoSigner ? ['--memo-signer', memo.memoSigner] : []),
      ];
      const ofPolicy = policy === undefined ? [] : ['--policy', policy];
      process.exitCode = await verifyFile([file, ...vkey.flatMap((key) => ['--vkey', key]), ...ofPolicy, ...ofMemo]);
    });
}
