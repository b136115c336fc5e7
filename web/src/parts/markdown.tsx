import { Marked, type Token } from 'marked';
import { memo, useMemo, type ReactNode } from 'react';
import { MarkdownBlock } from './markdown-block.tsx';
import { mathBlock, mathInline } from './math.ts';
import styles from './markdown.module.css';

/**
 * What a model wrote, as elements of ours: no markup of its own becomes any, no picture is fetched, and
 * a link leads only to the web. While it streams, blocks that are complete are not drawn again.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const tokens = useMemo(() => tokensOf(text), [text]);
  return (
    <div className={styles['markdown']}>
      {tokens === undefined ? (
        <p className={styles['plain']}>{text}</p>
      ) : (
        tokens.map((token, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a block is known by its place
          <Block key={index} raw={token.raw} token={token} />
        ))
      )}
    </div>
  );
});

/** Undefined where it is nested too deeply, or too long, to be worth it. */
function tokensOf(text: string): readonly Token[] | undefined {
  if (text.length > CHARS_MAX) return undefined;
  try {
    return reader.lexer(text);
  } catch {
    return undefined;
  }
}

const reader = new Marked({ gfm: true, breaks: true, extensions: [mathBlock, mathInline] });
const CHARS_MAX = 300_000;

interface BlockProps {
  readonly raw: string;
  readonly token: Token;
}

const Block = memo(
  ({ token }: BlockProps): ReactNode => <MarkdownBlock token={token} depth={0} />,
  (before, after) => before.raw === after.raw && before.token.type === after.token.type,
);
