/**
 * Keeps the page whole while a browser translates it. A translation takes each text out of the page and puts a `font` with its own in the
 * place; React goes on with the text that is gone: what it writes there nobody sees, and what it does to the place of it throws, which
 * takes the area away. So what stands for a text is kept in mind, and a text that has changed is put back, to be translated anew.
 */
export function followTranslation(): void {
  const standsFor = new WeakMap<Node, ChildNode>();
  /** Null where neither the text nor its translation is there any more. */
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
      // A text that has changed, as only those out of the page are looked at for that.
      if (target.parentNode === null) standsFor.get(target)?.replaceWith(target);
      for (const text of removedNodes) {
        const font = addedNodes[0] ?? previousSibling;
        if (!(text instanceof Text) || font?.nodeName !== 'FONT') continue;
        standsFor.set(text, font as ChildNode);
        observer.observe(text, { characterData: true });
      }
      for (const text of addedNodes) {
        // React has moved it.
        const font = standsFor.get(text);
        if (font && !font.contains(text)) font.remove();
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
