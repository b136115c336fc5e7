import { escapeLiteral, splitTemplate } from '../placeholders.ts';
import { afterDollar, readText } from '../entry/texts.ts';
import type { PlaceholderSyntax, TextField } from './dialect.ts';

/** `lost`: placeholders and texts that this client won't read as they are meant. */
export function writeText(
  ours: string,
  syntax: PlaceholderSyntax,
  field: TextField,
): { readonly text: string; readonly lost: readonly string[] } {
  const lost: string[] = [];
  const parts = splitTemplate(ours).map((part) => {
    if (typeof part === 'string') return part;
    const written = isFilled(syntax, field) ? syntax.write(part) : undefined;
    if (written === undefined) lost.push(part.text);
    return written ?? part.text;
  });
  const text = parts.join('');
  // Reading it back also finds literal texts that look like placeholders.
  const same = lost.length > 0 || readText(text, field, { syntax }) === normal(ours);
  return { text, lost: same ? lost : [ours] };
}

function isFilled({ fields }: PlaceholderSyntax, field: TextField): boolean {
  return fields?.includes(field) ?? true;
}

/** `${env:V}` and `{env:V}` mean `${V}`. */
function normal(ours: string): string {
  let text = '';
  for (const part of splitTemplate(ours)) {
    if (typeof part === 'string') text += escapeLiteral(part);
    else if (part.kind !== 'env') text += part.text;
    else if (part.fallback !== undefined) text += `\${${part.name}:-${part.fallback}}`;
    else text += afterDollar(text, `\${${part.name}}`);
  }
  return text;
}
