import { safeBorder } from './cut.ts';

/** A page's end depends only on the text near it: any page can be cut without reading the others. */
export function pageCount(textChars: number, pageChars: number): number {
  return Math.max(1, Math.ceil(textChars / pageChars));
}

/** Pages count from 1. */
export function cutPage(text: string, page: number, pageChars: number): string {
  return text.slice(borderAfter(text, page - 1, pageChars), borderAfter(text, page, pageChars));
}

export function pageOf(text: string, at: number, pageChars: number): number {
  const around = Math.floor(at / pageChars) + 1;
  // A page may end a little before its round number.
  return at >= borderAfter(text, around, pageChars) ? around + 1 : around;
}

function borderAfter(text: string, page: number, pageChars: number): number {
  const at = page * pageChars;
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  const newline = text.lastIndexOf('\n', at - 1);
  return newline >= at - pageChars / 4 ? newline + 1 : safeBorder(text, at);
}
