import type { ReactNode } from 'react';
import { useHubQuery } from '../hub/queries.ts';
import styles from './server-icon.module.css';

interface ServerIconProps {
  readonly id: string;
  readonly name: string;
  readonly hasIcon?: boolean | undefined;
}

/** The picture that a server declares, fetched by the hub; else its first letter. */
export function ServerIcon({ id, name, hasIcon = false }: ServerIconProps): ReactNode {
  const { data } = useHubQuery(['icon', id], (hub) => hub.servers.icon({ id }), { enabled: hasIcon });
  if (hasIcon && data?.data !== undefined && data.mimeType !== undefined) {
    return <img className={styles['icon']} src={`data:${data.mimeType};base64,${data.data}`} alt="" />;
  }
  return (
    <span className={styles['icon']} data-tint={tintOf(id)} aria-hidden="true">
      {firstLetter(name)}
    </span>
  );
}

/** The same server has the same colour on every page. */
function tintOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % TINTS;
}

const TINTS = 6;

/** Of the name's letters and digits; a name may begin with anything. */
function firstLetter(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '?').toUpperCase();
}
