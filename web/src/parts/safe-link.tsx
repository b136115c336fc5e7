import type { ReactNode } from 'react';

interface SafeLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link that somebody else wrote: only to the web, in a tab of its own that knows nothing of us. */
export function SafeLink({ href, children }: SafeLinkProps): ReactNode {
  if (!isWebAddress(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  );
}

export function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false; // no address at all
  }
}
