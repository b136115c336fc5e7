import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';
import { highlight } from './code/highlight.ts';
import { CopyButton } from './copy-button.tsx';
import { Formula, MarkdownInline } from './markdown-inline.tsx';
import type { MathToken } from './math.ts';
import styles from './markdown.module.css';

interface MarkdownBlockProps {
  readonly token: Token;
  readonly depth: number;
}

/** A paragraph, a list, a table and so on; what is none of these is shown as it was written. */
export function MarkdownBlock({ token, depth }: MarkdownBlockProps): ReactNode {
  if (depth > DEPTH_MAX) return token.raw;
  // The kind of a token says which of these it is.
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      return <Heading token={token as Tokens.Heading} />;
    case 'paragraph':
      return (
        <p>
          <MarkdownInline tokens={token.tokens ?? []} />
        </p>
      );
    case 'text':
      return token.tokens ? <MarkdownInline tokens={token.tokens} /> : (token as Tokens.Text).text;
    case 'code':
      return <Code token={token as Tokens.Code} />;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} depth={depth} />
        </blockquote>
      );
    case 'list':
      return <List token={token as Tokens.List} depth={depth} />;
    case 'math':
      return <Formula token={token as unknown as MathToken} />;
    case 'table':
      return <Table token={token as Tokens.Table} />;
    default:
      return <p className={styles['plain']}>{token.raw}</p>;
  }
}

const DEPTH_MAX = 20;

interface BlocksProps {
  readonly tokens: readonly Token[];
  readonly depth: number;
}

function Blocks({ tokens, depth }: BlocksProps): ReactNode {
  return tokens.map((token, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a block is known by its place
    <MarkdownBlock key={index} token={token} depth={depth + 1} />
  ));
}

/** Headings of an answer stay below those of the page. */
function Heading({ token }: { readonly token: Tokens.Heading }): ReactNode {
  const inner = <MarkdownInline tokens={token.tokens} />;
  return token.depth <= 2 ? <h3>{inner}</h3> : <h4>{inner}</h4>;
}

function Code({ token: { text, lang = '' } }: { readonly token: Tokens.Code }): ReactNode {
  return (
    <figure className={styles['code']}>
      <figcaption>
        <span>{lang.slice(0, 40)}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre tabIndex={0} aria-label="Code">
        <code>
          {highlight(text, lang.trim()).map((piece, index) =>
            piece.kind === 'plain' ? (
              piece.text
            ) : (
              // oxlint-disable-next-line react/no-array-index-key -- a piece is known by its place
              <span key={index} className={styles[piece.kind]}>
                {piece.text}
              </span>
            ),
          )}
        </code>
      </pre>
    </figure>
  );
}

function List({ token, depth }: { readonly token: Tokens.List; readonly depth: number }): ReactNode {
  const items = token.items.map((item, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- an item is known by its place
    <li key={index}>
      {item.task && <span aria-label={item.checked ? 'done' : 'open'}>{item.checked ? '☑ ' : '☐ '}</span>}
      <Blocks tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} depth={depth} />
    </li>
  ));
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token }: { readonly token: Tokens.Table }): ReactNode {
  return (
    <div className={styles['table']} role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a cell is known by its place
              <th key={index} scope="col">
                <MarkdownInline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- a row is known by its place
            <tr key={row}>
              {cells.map((cell, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a cell is known by its place
                <td key={index}>
                  <MarkdownInline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
