import ts from 'typescript';

/** What a browser needs of an endpoint; the schemas are the services' business. */
const KEPT = new Set(['id', 'method', 'path', 'access']);

/**
 * A loader for services/contracts/http/*.ts in browser bundles: endpoints keep their address, schemas go. It drops every
 * statement that builds a schema or uses one, about 5 KB gzip in each bundle. Importing a schema in web code then fails the build.
 */
export default function contractAddresses(source) {
  const file = ts.createSourceFile(this.resourcePath, source, ts.ScriptTarget.ES2022, true);
  const dropped = new Set(['z']);
  const kept = [];
  for (const statement of file.statements) {
    const slim = ts.transform(statement, [slimEndpoints]).transformed[0];
    if (mentions(slim, dropped)) for (const name of declaredNames(statement)) dropped.add(name);
    else kept.push(slim);
  }
  const printer = ts.createPrinter({ removeComments: true });
  return kept.map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, file)).join('\n');
}

/** `endpoint({...})` without its schemas. */
function slimEndpoints(context) {
  const visit = (node) => {
    if (isEndpointCall(node)) {
      const [definition] = node.arguments;
      const properties = definition.properties.filter(({ name }) => KEPT.has(name?.text));
      return context.factory.createCallExpression(node.expression, undefined, [
        context.factory.createObjectLiteralExpression(properties),
      ]);
    }
    return ts.visitEachChild(node, visit, context);
  };
  return (node) => ts.visitNode(node, visit);
}

function isEndpointCall(node) {
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'endpoint' &&
    node.arguments[0] !== undefined &&
    ts.isObjectLiteralExpression(node.arguments[0])
  );
}

/** Whether a statement uses one of the names as a value. Types are erased anyway, and imports are left out when unused. */
function mentions(statement, names) {
  if (ts.isImportDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return false;
  let found = false;
  const visit = (node) => {
    if (ts.isIdentifier(node) && names.has(node.text) && !isPropertyName(node)) found = true;
    if (!found) ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

/** `x.user` and `{ user: 1 }` name a property, not the variable. */
function isPropertyName(node) {
  const { parent } = node;
  if (parent === undefined) return false;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.text);
  return statement.name ? [statement.name.text] : [];
}
