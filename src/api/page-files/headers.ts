import { ALWAYS } from '../answer.ts';
import { FRAME_NAME, PAGE_NAME } from '../page-door/paths.ts';

/**
 * The page's own policy: our files, the hub, pictures and sounds that it holds already, and the frame
 * for apps. No inline script or style, and no text becomes markup that runs.
 */
export function pageHeaders(port: number): Readonly<Record<string, string>> {
  return {
    ...ALWAYS,
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data: blob:",
      'media-src': 'data: blob:',
      'font-src': "'self'",
      'connect-src': "'self'",
      'manifest-src': "'self'",
      'frame-src': `http://${FRAME_NAME}:${port}`,
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    }),
  };
}

/**
 * The policy of the frame, which the app inside inherits and cannot widen. It allows what any app may
 * declare; the frame narrows it to what this one did. Nothing on this machine can be reached, and no
 * other document put in the app's place, which would carry data out in its address.
 */
export function frameHeaders(port: number): Readonly<Record<string, string>> {
  const { 'x-frame-options': _framed, ...always } = ALWAYS;
  return {
    ...always,
    'x-dns-prefetch-control': 'off',
    // A second wall where browsers know it: no connection but these, of any kind, and none by WebRTC.
    'connection-allowlist': '(response-origin "https://*:*/*")',
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': "'self' 'unsafe-inline' https:",
      'style-src': "'self' 'unsafe-inline' https:",
      'img-src': 'data: blob: https:',
      'media-src': 'data: blob: https:',
      'font-src': 'data: https:',
      'connect-src': 'https: wss:',
      'frame-src': "'none'",
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': `http://${PAGE_NAME}:${port}`,
    }),
  };
}

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
