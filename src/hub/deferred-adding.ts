import type { AddingApis } from './adding/open.ts';

/** The same three APIs, whose code is loaded when one of them is first used. */
export function deferredAdding(load: () => Promise<AddingApis>): AddingApis {
  return {
    imports: {
      scan: async (query) => (await load()).imports.scan(query),
      run: async (request) => (await load()).imports.run(request),
    },
    registries: {
      list: async () => (await load()).registries.list(),
      save: async (registry) => (await load()).registries.save(registry),
      remove: async (name) => (await load()).registries.remove(name),
      search: async (query, options) => (await load()).registries.search(query, options),
      sync: async (request, options) => (await load()).registries.sync(request, options),
    },
    plans: {
      make: async (request, options) => (await load()).plans.make(request, options),
      unpack: async (request, options) => (await load()).plans.unpack(request, options),
      try: async (request, options) => (await load()).plans.try(request, options),
      recognise: async (request) => (await load()).plans.recognise(request),
      readImage: async (request, options) => (await load()).plans.readImage(request, options),
      install: async (request, options) => (await load()).plans.install(request, options),
    },
  };
}
