import { conflict, type Problem } from '@cord/kit/problem';

/** 409: what an act was decided on, or has made, is no longer so. */
export const noLongerSo = (): Problem => conflict('no-longer-so', 'This has changed since or is already undone.');
