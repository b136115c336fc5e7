/** How many rounds of a long search run with every test; `npm run fuzz` asks for all of them. */
export function shareOf(all: number, share: number): number {
  return process.env['PLUG_FUZZ_RUNS'] === undefined ? share : all;
}
