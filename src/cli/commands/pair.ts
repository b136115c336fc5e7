/** `NAME=value`, as it stands after `plug add`. */
export const PAIR = /^[A-Za-z_][\w.:-]*=/;
