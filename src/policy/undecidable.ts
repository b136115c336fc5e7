/** Thrown while a decision is made when it cannot be made; `decide` turns it into a denial. */
export class Undecidable extends Error {
  override readonly name = 'Undecidable';
}
