import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { PageFiles } from './page-files.ts';

function built(): { readonly folder: string; readonly files: PageFiles } {
  const folder = join(temporaryFolder(), 'web');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'app-frame'));
  writeFileSync(join(folder, 'index.html'), '<title>page</title>');
  writeFileSync(join(folder, 'app-frame', 'index.html'), '<title>frame</title>');
  writeFileSync(join(folder, 'assets', 'page-1a2b.js'), 'page');
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  return { folder, files: new PageFiles(folder) };
}

test('files have their type; what has its hash in its name is kept by the browser, the rest is not', async () => {
  const { files } = built();
  const script = await files.file('/assets/page-1a2b.js');
  expect(await script?.text()).toBe('page');
  expect(script?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await files.file('/icon.svg'))?.headers.get('cache-control')).toBe('no-cache');
  const page = await files.document(4_711);
  expect([await page.text(), page.headers.get('cache-control')]).toEqual(['<title>page</title>', 'no-store']);
});

test('only files of the build are served: no folder above it, no link, no kind that it has not', async () => {
  const { folder, files } = built();
  writeFileSync(join(folder, '..', 'secret.txt'), 'secret');
  symlinkSync(join(folder, '..', 'secret.txt'), join(folder, 'assets', 'link.txt'));
  writeFileSync(join(folder, 'assets', 'notes.exe'), 'x');
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/link.txt',
    '/assets/notes.exe',
    '/assets',
    '/assets/gone.js',
    '//etc/hostname',
  ]) {
    expect([path, await files.file(path)]).toEqual([path, undefined]);
  }
});

test('a new build is served without a restart of the hub', async () => {
  const { folder, files } = built();
  expect(await files.file('/assets/page-3c4d.js')).toBeUndefined();
  writeFileSync(join(folder, 'assets', 'page-3c4d.js'), 'newer');
  const later = new Date(Date.now() + 5_000);
  utimesSync(join(folder, 'index.html'), later, later);
  expect(await (await files.file('/assets/page-3c4d.js'))?.text()).toBe('newer');
});

test('a page that was not built says so, and how to build it', async () => {
  const files = new PageFiles(join(temporaryFolder(), 'nothing'));
  const page = await files.document(4_711);
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('npm run build')]);
  expect(await files.file('/assets/page.js')).toBeUndefined();
});
