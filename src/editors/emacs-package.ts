import { fileURLToPath } from 'node:url';

/** The Emacs package as it was installed with this program: the folder that goes on the load path. */
export const emacsPackage: string = fileURLToPath(new URL('../../editors/emacs', import.meta.url));
