import { defined } from '../../base/defined.ts';
import type { Remedy } from '../../base/remedy.ts';
import type { CauseContext } from './known-causes.ts';

type EditServer = Extract<Remedy, { do: 'edit-server' }>;

/** Corrects a field of a definition, in the file that holds it if one does. */
export function editServer({ server, file, address }: Where, field?: string): EditServer {
  const isHeader = field?.startsWith('headers.') === true;
  return { do: 'edit-server', server, ...defined({ field, file, address: isHeader ? address : undefined }) };
}

type Where = { readonly [Key in 'file' | 'address']?: string | undefined } & { readonly server: string };

/** Gives a server another key: in the vault, if it comes from there, else in its definition. */
export function replaceKey({ secret, keyHeader, ...where }: CauseContext): Remedy {
  if (secret === undefined)
    return editServer(where, keyHeader === undefined ? 'env' : `headers.${keyHeader}`);
  return { do: 'set-secret', name: secret, server: where.server };
}
