/**
 * Words that say nothing about which tool is meant: those that hold English sentences together, those
 * with which people address an assistant, and those in which descriptions of tools are written.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those it its itself they them their theirs there here he him his she her hers
  we us our ours you your yours i me my mine myself who whom whose which what when where why how
  am is are was were be been being do does did done doing have has had having will would shall should can
  could may might must cannot
  and or but nor not no so if then else than as of at by for from in into on onto to with within without
  about above after again against all also any because before below between both during each either
  every few further more most much many neither once only other others out over own same some such too
  under until up very while via per across along among around just like
  s t d m ll ve re isn aren don doesn didn won
  please want wants wanted need needs needed help helps let lets tell give gives given gave could kindly
  able well okay hello hi thanks thank
  tool tools mcp parameter parameters param params argument arguments
  arg args return returns returned returning use uses used using usage useful
  optional optionally required require requires default defaults specify specifies specified specific
  specifying provide provides provided providing allow allows allowed allowing
  based following example examples eg ie etc whether
  method methods operation operations input inputs output outputs`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * Words of people who talk with an assistant. A tool may mean them, so they count in a query, but less.
 */
export const weakWords: ReadonlySet<string> = new Set(
  `appreciate assist assistance believe bit come coming curious enjoy excited exactly especially feel
  feeling glad go going gonna good got great guess happy hope hoping interested know lately little
  looking lot love maybe mind mood nice ok perhaps possible prefer preferably pretty quick quickly quite
  ready really say seem simply something somewhere somebody someone soon sort still stuff sure thing
  things try trying understand wanna way whatever wish wonder wonderful wondering would wow yeah yes yet`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
