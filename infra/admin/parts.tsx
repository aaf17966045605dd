/** The operators' room lends no part to other pages. */
export const parts = {};
