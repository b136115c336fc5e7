/**
 * For hubs of tests: servers start when a test says so, and no package is fetched from anywhere.
 * Tests of what a hub does by itself set the variable to nothing.
 */
export const quietHub: Readonly<Record<'PLUG_NO_FIRST_LOOKS', string>> = { PLUG_NO_FIRST_LOOKS: '1' };
