import { sizeInWords } from '../../../../src/base/size-in-words.ts';
import type { ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { onlyReference } from './references.ts';
import styles from './config-tab.module.css';

interface ServerFactsProps {
  readonly server: ServerView;
  readonly definition: ServerDefinition;
}

/** The definition as a person reads it. Values that may be secret are not shown, only their names. */
export function ServerFacts({ server, definition }: ServerFactsProps): ReactNode {
  const { endpoint } = definition;
  const pairs = endpoint.kind === 'stdio' ? endpoint.env : endpoint.headers;
  const { process } = server;
  return (
    <dl className={styles['facts']}>
      <Fact name="Id">
        <code>{server.id}</code>
      </Fact>
      <Fact name="Reached by">{TRANSPORTS[server.transport]}</Fact>
      <Fact name={endpoint.kind === 'stdio' ? 'Command' : 'Address'}>
        <code>{showHidden(server.target)}</code>
      </Fact>
      {endpoint.kind === 'stdio' && endpoint.cwd !== undefined && (
        <Fact name="Folder">
          <code>{showHidden(endpoint.cwd)}</code>
        </Fact>
      )}
      {Object.entries(pairs).map(([name, value]) => (
        <Fact key={name} name={endpoint.kind === 'stdio' ? 'Variable' : 'Header'}>
          <code>{showHidden(name)}</code> {onlyReference(value) ? <code>{showHidden(value)}</code> : '••••'}
        </Fact>
      ))}
      <Fact name="Comes from">{SOURCES[server.source.kind]}</Fact>
      {definition.package && (
        <Fact name="Package">
          {showHidden(
            `${definition.package.registry} ${definition.package.name} ${definition.package.version}`,
          )}
        </Fact>
      )}
      {server.protocolVersion !== undefined && (
        <Fact name="Protocol">
          MCP {showHidden(server.protocolVersion)} ({server.era})
        </Fact>
      )}
      {process && (
        <Fact name="Process">
          {process.pid} · {sizeInWords(process.memoryBytes)}
        </Fact>
      )}
      <Filter definition={definition} />
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Filter({ definition: { tools } }: Pick<ServerFactsProps, 'definition'>): ReactNode {
  return (
    <>
      {tools.allow && <Fact name="Only tools">{showHidden(tools.allow.join(', '))}</Fact>}
      {tools.deny && <Fact name="No tools">{showHidden(tools.deny.join(', '))}</Fact>}
    </>
  );
}

const TRANSPORTS: Readonly<Record<ServerView['transport'], string>> = {
  stdio: 'a program on this machine',
  http: 'an address (Streamable HTTP)',
  sse: 'an address (SSE)',
  ws: 'an address (WebSocket)',
};

const SOURCES: Readonly<Record<ServerView['source']['kind'], string>> = {
  official: 'the official registry',
  smithery: 'Smithery',
  featured: 'our own list',
  manual: 'you added it',
  file: 'a file of yours',
  import: 'an import from another client',
};
