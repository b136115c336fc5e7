export type PagePath = 'document' | 'file' | 'open' | 'frame';

/** Undefined for a path outside the page. Whether a file exists is checked later. */
export function pagePathOf(path: string): PagePath | undefined {
  if (path === '/open') return 'open';
  if (path === '/app-frame') return 'frame';
  if (DOCUMENTS.test(path)) return 'document';
  return FILES.test(path) ? 'file' : undefined;
}

/** Every place in the page is the same document, which reads the address itself. */
const DOCUMENTS = /^\/(?:(?:chat|servers|add|setup|activity|grants|approvals|settings)(?:\/.*)?)?$/;

const FILES = /^\/(?:assets\/[\w.-]+|[\w-]+\.(?:svg|ico|png|webmanifest|txt))$/;

/** Apps of servers are framed under another name than the page's, so they can't reach its cookie or key. */
export const PAGE_NAME = '127.0.0.1';
export const FRAME_NAME = 'localhost';
