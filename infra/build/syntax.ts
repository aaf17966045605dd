import { type ParseResult, parseSync } from 'rolldown/utils';

/** A node of an ESTree, with TypeScript's own nodes. */
export interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: the fields of a node follow from its type
  [field: string]: any;
}

/**
 * Parses a TypeScript file without checking types.
 * @param file its name, whose extension shows whether it has JSX
 * @throws {Error} naming the file and the syntax error
 */
export function parsed(file: string, source: string): { program: Node; module: ParseResult['module'] } {
  const { program, module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return { program: program as unknown as Node, module };
}

/**
 * Visits a tree from the root down, in source order.
 * @param enter `parents` are nearest first; false skips the children
 */
export function walk(
  node: Node,
  enter: (node: Node, parents: Node[]) => boolean | undefined,
  parents: Node[] = [],
): void {
  if (enter(node, parents) === false) return;
  const below = [node, ...parents];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, enter, below);
    }
  }
}

/** Returns the text of a string or of a template without values, else null. */
export function stringOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' && node.quasis.length === 1 ? node.quasis[0].value.cooked : null;
}

/** Returns the text of a template with `…` for each value, or of a string; else null. */
export function textOf(node: Node): string | null {
  if (node.type === 'JSXText') return node.value;
  if (node.type !== 'TemplateLiteral') return stringOf(node);
  return node.quasis.map(({ value }: Node) => value.cooked).join('\u2026');
}

/** Whether a node is `key: value` of an object. */
export function isProperty(node: Node, parent: Node | undefined): boolean {
  const isOwn = node.type === 'Property' && parent?.type === 'ObjectExpression';
  return isOwn && !node.shorthand && !node.method && node.kind === 'init';
}
