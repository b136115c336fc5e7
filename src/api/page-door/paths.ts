/** What of the page is at a path: a place in it, one of its files, the way in, the frame for apps. */
export type PagePath = 'document' | 'file' | 'open' | 'frame';

/** Undefined for everything that is not the page's. Which files there really are is the disk's to say. */
export function pagePathOf(path: string): PagePath | undefined {
  if (path === '/open') return 'open';
  if (path === '/app-frame') return 'frame';
  if (DOCUMENTS.test(path)) return 'document';
  return FILES.test(path) ? 'file' : undefined;
}

/** Every place in the page is the same document, which then reads the address by itself. */
const DOCUMENTS = /^\/(?:(?:chat|servers|add|setup|activity|grants|approvals|settings)(?:\/.*)?)?$/;

const FILES = /^\/(?:assets\/[\w.-]+|[\w-]+\.(?:svg|ico|png|webmanifest|txt))$/;

/**
 * The page lives under one name of the loopback address. Apps of servers are framed under another, so
 * that neither the page's cookie nor its stored key is within their reach.
 */
export const PAGE_NAME = '127.0.0.1';
export const FRAME_NAME = 'localhost';
