/**
 * Keeps the page working while a browser translates it. A translation replaces each text node by a `font` element;
 * React would then write to detached nodes, or throw on them and lose the area. So each replacement is recorded, and
 * a changed text is put back and translated again.
 */
export function followTranslation(): void {
  const standsFor = new WeakMap<Node, ChildNode>();
  /** Returns the node in the document for a text; null when neither the text nor its translation is there. */
  const placeOf = (parent: Node, child: Node | null): Node | null => {
    if (!(child instanceof Text) || child.parentNode === parent) return child;
    const font = standsFor.get(child);
    return font?.parentNode === parent ? font : null;
  };

  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    insertBefore.call(this, node, placeOf(this, before));
    return node;
  };
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const there = placeOf(this, child);
    if (there !== null) removeChild.call(this, there);
    return child;
  };

  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes, removedNodes, previousSibling } of changes) {
      // A text has changed; only detached texts are observed for that.
      if (target.parentNode === null) standsFor.get(target)?.replaceWith(target);
      for (const text of removedNodes) {
        const font = addedNodes[0] ?? previousSibling;
        if (!(text instanceof Text) || font?.nodeName !== 'FONT') continue;
        standsFor.set(text, font as ChildNode);
        observer.observe(text, { characterData: true });
      }
      for (const text of addedNodes) {
        // React has moved the text.
        const font = standsFor.get(text);
        if (font && !font.contains(text)) font.remove();
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
