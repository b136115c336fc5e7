import type { ReactNode } from 'react';
import type { OfferedPlan } from '../hub/hub-context.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import styles from './plan-facts.module.css';

/** All of a plan, word by word, for who wants to see what exactly happens. */
export function PlanFacts({ view }: { readonly view: OfferedPlan['view'] }): ReactNode {
  const { argv, command, url, env, headers, package: pack, steps, auth } = view;
  return (
    <dl className={styles['facts']}>
      {argv && (
        <>
          <dt>Command, word by word</dt>
          <dd>
            <ol className={styles['words']}>
              {argv.map((word, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a word is its place
                <li key={at}>
                  <code>{word}</code>
                </li>
              ))}
            </ol>
            {command !== undefined && <CopyButton text={command} label="Copy the command" />}
          </dd>
        </>
      )}
      {url !== undefined && <Fact name="Address" value={url} />}
      <Pairs name="Variables" pairs={env} />
      <Pairs name="Headers" pairs={headers} />
      {pack && <Fact name="Package" value={`${pack.name} ${pack.version} (${pack.pinned})`} />}
      {pack?.integrity !== undefined && <Fact name="Integrity" value={pack.integrity} />}
      {steps.map((step) => (
        <Fact key={step} name="Step" value={step} />
      ))}
      <Fact name="Sign-in" value={auth.why} />
    </dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </>
  );
}

function Pairs({
  name,
  pairs,
}: {
  readonly name: string;
  readonly pairs: OfferedPlan['view']['env'];
}): ReactNode {
  if (pairs.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={styles['pairs']}>
        {pairs.map((pair) => (
          <code key={pair.name}>
            {pair.name}={pair.value}
          </code>
        ))}
      </dd>
    </>
  );
}
