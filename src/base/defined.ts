type Optional<T> = {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};
type Required<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] };

/** Only the fields that have a value: an optional field must be absent rather than `undefined`. */
export function defined<T extends object>(fields: T): Optional<T> & Required<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Optional<T> & Required<T>; // only undefined ones were left out
}
