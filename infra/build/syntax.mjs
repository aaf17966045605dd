import { parseSync } from 'rolldown/utils';

/**
 * A node of an ESTree, with TypeScript's own nodes.
 * @typedef {{type: string, start: number, end: number, [field: string]: any}} Node
 */

/**
 * The syntax of a TypeScript file; types are not looked at.
 * @param {string} file its name, whose extension shows whether it has JSX
 * @param {string} source
 * @returns {{program: Node, module: import('rolldown/utils').ParseResult['module']}}
 * @throws {Error} naming the file and what is wrong in it
 */
export function parsed(file, source) {
  const { program, module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return { program: /** @type {any} */ (program), module };
}

/**
 * Visits a tree from its root down, in the order of the source.
 * @param {Node} node
 * @param {(node: Node, parents: Node[]) => boolean | void} enter `parents` are nearest first; false leaves out what is below
 * @param {Node[]} [parents]
 */
export function walk(node, enter, parents = []) {
  if (enter(node, parents) === false) return;
  const below = [node, ...parents];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, enter, below);
    }
  }
}

/** The text of a string or of a template without values, else null. @param {Node} node */
export function stringOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' && node.quasis.length === 1 ? node.quasis[0].value.cooked : null;
}

/** The text of a template with `…` for each value; of a string as it is; else null. @param {Node} node */
export function textOf(node) {
  if (node.type === 'JSXText') return node.value;
  if (node.type !== 'TemplateLiteral') return stringOf(node);
  return node.quasis.map((/** @type {Node} */ { value }) => value.cooked).join('\u2026');
}

/** Whether a node is `key: value` of an object. @param {Node} node @param {Node | undefined} parent */
export function isProperty(node, parent) {
  const isOwn = node.type === 'Property' && parent?.type === 'ObjectExpression';
  return isOwn && !node.shorthand && !node.method && node.kind === 'init';
}
