/** What the keys of the room's queries and calls begin with: no view's cache meets that of another module. */
export const OPERATORS = 'operators';
