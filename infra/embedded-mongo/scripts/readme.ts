import {
  EXPLAINABLE_COMMANDS,
  GENERIC_OPTIONS,
  HANDSHAKE,
  INDEX_OPTIONS,
  PATH_QUERY_OPERATORS,
  POSITIONAL_OPERATORS,
  PUSH_MODIFIERS,
  REFUSED_OPTIONS,
  STATEMENT_OPTIONS,
  SUPPORTED_ACCUMULATORS,
  SUPPORTED_COMMANDS,
  SUPPORTED_EXPRESSIONS,
  SUPPORTED_STAGES,
  SUPPORTED_UPDATE_OPERATORS,
  TOP_LEVEL_QUERY_OPERATORS,
  TRANSACTION_OPTIONS,
} from '../capabilities.js';

/** This file generates everything between these two lines of README.md. */
const START = '<!-- tables: written by scripts/readme.ts from capabilities.ts -->';
const END = '<!-- end of tables -->';

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');

function optionsText(options: readonly string[]): string {
  if (options === HANDSHAKE) return ': any';
  return options.length === 0 ? '' : `: ${list(options)}`;
}

/** The tables of capabilities as Markdown. */
export function tables(): string {
  const commands = Object.entries(SUPPORTED_COMMANDS).map(([name, options]) => `- \`${name}\`${optionsText(options)}`);
  return [
    '### Commands, each with its own options',
    '',
    ...commands,
    '',
    `Every command also takes ${list(GENERIC_OPTIONS)}.`,
    `A statement of \`update\` takes ${list(STATEMENT_OPTIONS.update)}; one of \`delete\` ${list(STATEMENT_OPTIONS.delete)}.`,
    `\`explain\` explains ${list(EXPLAINABLE_COMMANDS)}.`,
    '',
    '### Operators',
    '',
    `- Query, at a path: ${list(PATH_QUERY_OPERATORS)}; at the top: ${list(TOP_LEVEL_QUERY_OPERATORS)}`,
    `- Update: ${list(SUPPORTED_UPDATE_OPERATORS)}; in \`$push\`: ${list(PUSH_MODIFIERS)}; places: ${list(POSITIONAL_OPERATORS)}`,
    `- Stages: ${list(SUPPORTED_STAGES)}`,
    `- Accumulators of \`$group\`: ${list(SUPPORTED_ACCUMULATORS)}`,
    `- Expressions: ${list(SUPPORTED_EXPRESSIONS)}`,
    '',
    '### Indexes',
    '',
    `- Options: ${list(INDEX_OPTIONS.supported)} (\`ns\` and \`background\` mean nothing, as in MongoDB)`,
    '- Ascending and descending, single and compound, unique, sparse, partial, multikey, TTL',
    '',
    '### Refused by name',
    '',
    `- Options, with code 115: ${list(REFUSED_OPTIONS)}; of an index: ${list(INDEX_OPTIONS.refused)}`,
    `- Transactions, with code 20: ${list(TRANSACTION_OPTIONS)}`,
    '- Any other command with 59, option with 40415, stage with 40324, expression with 168, accumulator with 15952, query operator with 2, update operator with 9',
  ].join('\n');
}

/** README.md with its tables brought up to date. */
export function withTables(readme: string): string {
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`README.md lacks '${START}' or '${END}'`);
  return `${before}${START}\n\n${tables()}\n\n${END}${after}`;
}
