type Optional<T> = {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};
type Required<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] };

/**
 * The fields that have a value. An optional field must be absent rather than `undefined`: this turns
 * what may be undefined into such fields.
 */
export function defined<T extends object>(fields: T): Optional<T> & Required<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Optional<T> & Required<T>; // only undefined ones were left out
}
