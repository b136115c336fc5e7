/**
 * Words whose stem is not found by cutting endings: irregular forms, and words that would meet others
 * which mean something else (news and new, animal and animation, general and generate). One stem a
 * line, then the words that have it.
 */
export const irregular: ReadonlyMap<string, string> = new Map(
  `creat creation creations creator creators
  news news
  newspaper newspaper newspapers
  animal animal animals
  general general generally
  generic generic
  important important importance
  paste paste pasted pasting pastes
  organiz organization organizations organize organizes organized organizing organizer organisation organise
  university university universities
  universal universal
  community community communities
  international international
  internal internal
  experiment experiment experiments
  rating rating ratings
  meeting meeting meetings
  building building buildings
  setting setting settings
  training training
  parking parking
  wedding wedding weddings
  number numeric numerical
  relat relationship relationships
  analyz analysis analyses analyse analysed analysing
  visual visualise visualised visualisation
  summar summary summaries summarise summarised
  child children
  person people persons
  man men
  woman women
  foot feet
  mous mice
  life lives
  index indices
  vertex vertices
  matrix matrices
  criterion criteria
  send sent
  find found
  make made
  write wrote written
  build built
  bui bought
  sell sold
  pai paid
  run ran
  begin began begun
  choos chose chosen
  draw drawn drew
  show shown
  take taken took
  keep kept
  hold held
  lose lost
  speak spoke spoken
  spend spent
  teach taught
  think thought thoughts
  win won`
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([stem = '', ...words]) => words.map((word) => [word, stem] as const)),
);
