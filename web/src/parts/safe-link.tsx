import type { ReactNode } from 'react';
import { webAddress } from '../../../src/base/web-address.ts';

interface SafeLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link that somebody else wrote: only to the web, in a tab of its own that knows nothing of us. */
export function SafeLink({ href, children }: SafeLinkProps): ReactNode {
  const address = webAddress(href);
  if (address === undefined) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
      {children}
    </a>
  );
}
