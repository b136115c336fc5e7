/**
 * Makes objects whose fields are made when they are first read, and then stay. The getters are the same for
 * all of them, so that one of which nothing was read takes next to no memory.
 */
export function lazyObject<T extends object>(
  names: readonly (keyof T & string)[],
): (make: (name: keyof T & string) => unknown) => T {
  const fields: PropertyDescriptorMap = Object.fromEntries(names.map((name) => [name, lazyField(name)]));
  return (make) => Object.defineProperties({ [MAKE]: make }, fields) as unknown as T; // a field for each name
}

const MAKE = Symbol('makes a field');

function lazyField(name: string): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: true,
    get(this: { readonly [MAKE]: (name: string) => unknown }) {
      const value = this[MAKE](name);
      Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      return value;
    },
  };
}
