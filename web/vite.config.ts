import { fileURLToPath } from 'node:url';
import * as icons from 'simple-icons';
import { defineConfig, type Plugin } from 'vite';
import type { Operation } from '../src/hub/operations/operation.ts';
import { BRAND_MARKS } from './src/servers/brand-marks.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the page. The hub serves it under a policy that allows no inline script and no inline style. */
export default defineConfig({
  root: here('.'),
  logLevel: 'warn',
  // Our own files are at known places of the hub's address.
  base: '/',
  plugins: [routesAlone(), brandPictures()],
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

/**
 * Of an operation the page needs its route alone: summaries are for the API's document, and schemas for who
 * parses. What they import would be a twentieth of the page's first script.
 */
function routesAlone(): Plugin {
  const isRows = /\/src\/(?:hub\/operations\/[\w-]+|api\/listener-operations)\.ts$/;
  return {
    name: 'routes-alone',
    enforce: 'pre',
    async load(id) {
      if (!isRows.test(id)) return undefined;
      const areas = Object.entries((await import(id)) as Readonly<Record<string, unknown>>);
      if (areas.length === 0 || !areas.every(([, area]) => isArea(area))) return undefined;
      return areas.map(([name, area]) => `export const ${name} = ${JSON.stringify(area, ROUTE)};`).join('\n');
    },
  };
}

/** All that is left of a row; the names of its methods and its route's parts stay. */
function ROUTE(this: unknown, key: string, value: unknown): unknown {
  return isOperation(this) && key !== 'route' ? undefined : value;
}

function isArea(value: unknown): value is Readonly<Record<string, Operation>> {
  return typeof value === 'object' && value !== null && Object.values(value).every(isOperation);
}

function isOperation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'role' in value && 'summary' in value;
}

/** A picture for each brand that is shown, in the brand's own color. */
function brandPictures(): Plugin {
  const bySlug = new Map(Object.values(icons).map((icon) => [icon.slug, icon]));
  return {
    name: 'brand-pictures',
    generateBundle() {
      for (const slug of new Set(Object.values(BRAND_MARKS))) {
        const icon = bySlug.get(slug);
        if (!icon) throw new Error(`simple-icons has no “${slug}”.`);
        const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#${icon.hex}"><path d="${icon.path}"/></svg>`;
        this.emitFile({ type: 'asset', fileName: `brand-${slug}.svg`, source });
      }
    },
  };
}
