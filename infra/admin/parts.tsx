/** This module exports no parts for other pages. */
export const parts = {};
