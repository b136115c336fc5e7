import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the page. The hub serves it under a policy that allows no inline script and no inline style. */
export default defineConfig({
  root: here('.'),
  logLevel: 'warn',
  // Our own files are at known places of the hub's address.
  base: '/',
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // A picture inside a stylesheet or script would be a data: address; files of our own are simpler to allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { page: here('index.html'), 'app-frame': here('app-frame/index.html') },
      // Libraries mark their files for servers that render React; ours renders in the browser alone.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
