import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Remedy } from '../../../src/base/remedy.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { keys, useHubAction } from '../hub/queries.ts';
import buttons from './button.module.css';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { placeOf } from './remedy-place.ts';
import { wordsOf } from './remedy-words.ts';
import { useToast } from './toasts.tsx';

/** The next step as the page has it: a button that does it or leads to it, else words, or a line to copy. */
export function RemedyStep({ remedy }: { readonly remedy: Remedy }): ReactNode {
  if (remedy.do === 'restart' || remedy.do === 'enable') return <Doing remedy={remedy} />;
  const place = placeOf(remedy);
  if (place !== undefined) {
    return (
      <Link href={place.to} className={buttons['button'] ?? ''}>
        {place.label}
      </Link>
    );
  }
  if (remedy.do !== 'run') return <span>{wordsOf(remedy)}</span>;
  return (
    <span>
      Run <code>{showHidden(remedy.line)}</code> <CopyButton text={remedy.line} />
    </span>
  );
}

interface DoingProps {
  readonly remedy: Extract<Remedy, { do: 'restart' | 'enable' }>;
}

function Doing({ remedy: { do: what, server } }: DoingProps): ReactNode {
  const toast = useToast();
  const act = useHubAction((hub) => hub.servers[what]({ id: server }), [keys.servers]);
  return (
    <Button
      busy={act.isPending}
      onClick={() => act.mutate(undefined, { onError: (error) => toast.bad(error) })}
    >
      {what === 'restart' ? 'Restart' : 'Turn on'}
    </Button>
  );
}
