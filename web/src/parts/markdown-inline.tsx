import type { Token, Tokens } from 'marked';
import { lazy, Suspense, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { MathToken } from './math.ts';
import { SafeLink } from './safe-link.tsx';

/** As large as all the rest of the chat: loaded with the first formula. */
const MathView = lazy(() => import('./math-view.tsx'));

interface MarkdownInlineProps {
  readonly tokens: readonly Token[];
  readonly depth?: number;
}

/** The words of a block. A picture is named and not fetched: its address alone would tell somebody. */
export function MarkdownInline({ tokens, depth = 0 }: MarkdownInlineProps): ReactNode {
  return tokens.map((token, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- words are known by their place
    <Piece key={index} token={token} depth={depth} />
  ));
}

function Piece({ token, depth }: { readonly token: Token; readonly depth: number }): ReactNode {
  if (depth > DEPTH_MAX) return token.raw;
  const inner = 'tokens' in token && token.tokens && (
    <MarkdownInline tokens={token.tokens} depth={depth + 1} />
  );
  // The kind of a token says which of these it is.
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <del>{inner}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <SafeLink href={(token as Tokens.Link).href}>{inner}</SafeLink>;
    case 'math':
      return <Formula token={token as unknown as MathToken} />;
    case 'image':
      return <Picture token={token as Tokens.Image} />;
    case 'escape':
    case 'text':
      return inner || showHidden((token as Tokens.Text).text);
    default:
      return token.raw;
  }
}

/** Until it can be drawn, as it was written. */
export function Formula({ token: { tex, display } }: { readonly token: MathToken }): ReactNode {
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <MathView tex={tex} display={display} />
    </Suspense>
  );
}

function Picture({ token: { href, text } }: { readonly token: Tokens.Image }): ReactNode {
  return <SafeLink href={href}>[picture: {text === '' ? href : text}]</SafeLink>;
}

const DEPTH_MAX = 20;
