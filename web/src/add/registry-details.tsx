import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { SafeLink } from '../parts/safe-link.tsx';
import { When } from '../parts/when.tsx';
import styles from './registry-results.module.css';

type Found = PlanOffer['choices'][number];
type Entry = Found['entries'][number];

/** What each registry says of a server: who publishes it, where its code is, what would run. */
export function RegistryDetails({ found }: { readonly found: Found }): ReactNode {
  return (
    <div className={styles['details']}>
      {found.description.length > CUT_CHARS && <p>{showHidden(found.description)}</p>}
      {found.entries.map((entry) => (
        <EntryFacts key={`${entry.registry}:${entry.name}`} entry={entry} />
      ))}
    </div>
  );
}

/** Above it, what is longer is cut after a few lines. */
const CUT_CHARS = 200;

function EntryFacts({ entry }: { readonly entry: Entry }): ReactNode {
  const { registry, name, version, updatedAt, repository, websiteUrl, packages, remotes, statusMessage } =
    entry;
  return (
    <dl className={styles['facts']}>
      <dt>Listed by</dt>
      <dd>
        {showHidden(registry)} as {showHidden(name)}
      </dd>
      <dt>Publisher</dt>
      <dd>{showHidden(publisherOf(name))}</dd>
      {version !== undefined && (
        <>
          <dt>Version</dt>
          <dd>
            {showHidden(version)}
            {updatedAt !== undefined && (
              <>
                , <When at={updatedAt} />
              </>
            )}
          </dd>
        </>
      )}
      {statusMessage !== undefined && (
        <>
          <dt>Status</dt>
          <dd>{showHidden(statusMessage)}</dd>
        </>
      )}
      {repository && <LinkFact name="Code" href={repository.url} />}
      {websiteUrl !== undefined && <LinkFact name="Website" href={websiteUrl} />}
      {packages.map(({ type, identifier, version: exact }) => (
        <Fact
          key={`${type}:${identifier}`}
          name="Runs"
          value={`${identifier}${exact ? ` ${exact}` : ''} (${type})`}
        />
      ))}
      {remotes.map(({ url, kind }) => (
        <Fact key={url} name="Connects to" value={`${url} (${kind})`} />
      ))}
      {entry.detail === 'listed' && <Fact name="Runs" value="Looked up when you add it." />}
    </dl>
  );
}

/** `io.github.acme/files` is published by whoever is acme on GitHub; others own the domain. */
function publisherOf(name: string): string {
  const [space = name] = name.split('/');
  const parts = space.replace(/^@/, '').split('.');
  if (parts[0] === 'io' && parts[1] === 'github' && parts[2] !== undefined) return `${parts[2]} on GitHub`;
  return parts.length > 1 ? parts.toReversed().join('.') : space;
}

function LinkFact({ name, href }: { readonly name: string; readonly href: string }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <SafeLink href={href}>{showHidden(href)}</SafeLink>
      </dd>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{showHidden(value)}</code>
      </dd>
    </>
  );
}
