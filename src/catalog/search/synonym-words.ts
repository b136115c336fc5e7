/**
 * Words that people use for each other when they speak of tools: groups, parted by slashes. General
 * English and the vocabulary of the trade; a word may stand in several groups.
 */
export const synonymGroups = `
  create add new make insert / create generate produce compose / generate draw render plot /
  write save store / write edit / update edit modify change set alter patch / rename move /
  delete remove erase drop destroy clear / cancel abort stop terminate kill end /
  start run launch execute begin trigger / open launch / close shut /
  search find query lookup locate discover seek / search explore browse /
  list show display enumerate view browse / get fetch retrieve obtain read load / get show view /
  download fetch save / upload attach import / export download save dump / send post deliver message /
  send share / reply respond answer / publish post release deploy /
  convert transform translate change turn / convert export / translate translation language /
  parse extract read / extract scrape crawl harvest / merge combine join concatenate unite /
  split divide separate cut / compare diff difference contrast / copy duplicate clone replicate /
  check verify validate test inspect / check monitor watch / inspect examine investigate /
  analyze analyse analysis evaluate assess examine / analysis analytics statistic insight /
  calculate compute evaluate math arithmetic / count number total amount / measure calculate /
  sum total add / summarize summary abstract overview digest brief /
  describe explain detail information / detail info information metadata / sort order rank arrange /
  rank ranking top trending popular hot leaderboard / filter narrow restrict / choose select pick /
  recommend suggest recommendation suggestion similar / plan schedule organize arrange /
  plan itinerary agenda / book reserve booking reservation / buy purchase order checkout /
  pay payment transaction charge / sell trade / subscribe follow watch /
  notify alert notification reminder / schedule remind reminder / assign allocate delegate /
  approve accept confirm / reject decline deny refuse / enable activate / disable deactivate /
  install setup / configure setting config configuration preference option /
  login signin authenticate authentication auth / authorize permission access /
  register signup enroll / encrypt cipher encode / decrypt decipher decode /
  compress zip archive pack / decompress unzip extract unpack / resize scale / crop trim cut /
  rotate turn flip / highlight emphasize mark / format style layout / insert embed place put /
  replace substitute / undo revert restore rollback / refresh reload sync synchronize /
  connect link attach / wait pause delay sleep / click press tap / type enter fill /
  navigate visit goto open / scroll swipe / record capture log track / play listen stream /
  transcribe transcription transcript subtitle caption / speak speech voice narrate /
  predict forecast prediction projection / estimate approximate / train fit / learn study /
  debug troubleshoot diagnose / fix repair resolve solve / solve solution / build compile /
  deploy release / test try / crawl spider / think reason reasoning thought /
  remember memory recall memorize / store memory / generate random / issue ticket bug /
  task todo ticket job / repo repository project / commit changeset revision / branch ref /
  pr pull merge / review comment feedback / code source program script / code snippet /
  function procedure / package library module dependency / version release / log logs history /
  history past previous earlier / error exception failure / db database sql / table sheet relation /
  row record entry / column field attribute / field property attribute / schema structure model /
  query sql / index catalog / key identifier id / user person member people account / user profile /
  account profile / username handle / team group organization org / role permission /
  folder directory path / file document doc / path location / terminal shell console command bash /
  command execute run / process task / container docker pod / cluster kubernetes k8s /
  vm instance machine / host machine computer / cpu processor / memory ram / storage disk bucket /
  cloud aws azure gcp / network internet / ip address / domain hostname dns / port socket /
  request call / endpoint api url / url link website webpage page site web uri / website homepage /
  html webpage page / web internet online / browser chrome tab / screenshot capture snapshot /
  dom element node / node element entity / edge relation relationship link / graph network /
  cache memory / queue job / cron schedule / webhook hook callback / token credential /
  password secret credential / environment env variable / variable parameter / metric measurement /
  dashboard panel / alert incident alarm / test spec / regex pattern / string text /
  number numeric integer / array list / json object / date day / time hour clock / time timezone /
  datetime timestamp date time / latest recent newest current / current now today present / today day /
  image picture photo photograph img / icon logo symbol / design mockup figma / color colour /
  font typeface / diagram chart graph flowchart / chart plot graph visualization visualize visualise /
  mindmap mind / word term / embedding vector / model llm / prompt instruction / agent assistant bot /
  chat conversation dialogue / tag label keyword / label category / category type kind genre class /
  comment note remark annotation / note memo / todo task reminder / status state progress /
  priority urgency / milestone goal / board kanban / sprint iteration / workflow pipeline automation /
  mail email inbox / email message / message text sms / message chat / channel room /
  thread conversation / contact person people / calendar schedule event agenda /
  event meeting appointment / meeting conference call / invite invitation attendee participant /
  doc document word docx / document paper report / pdf document /
  spreadsheet excel xlsx workbook sheet csv / worksheet sheet / cell range / formula calculation /
  presentation slide powerpoint ppt pptx deck / slide page / paragraph text / heading header title /
  title headline name / name title / bold emphasize / table grid / picture image /
  template boilerplate / form survey questionnaire / customer client buyer / lead prospect /
  deal opportunity / invoice bill receipt / order purchase / employee staff worker /
  salary wage pay compensation / company business firm corporation enterprise organization /
  job career vacancy employment position / resume cv / contract agreement / product item goods /
  price cost fee rate charge / price quote / discount coupon offer deal / budget spending expense /
  revenue income sales earnings / profit gain / tax vat / inventory stock /
  shipment delivery shipping parcel / shop store market / stock share equity ticker / market exchange /
  crypto cryptocurrency bitcoin coin token / currency money / currency exchange forex /
  bank financial finance / finance financial / balance statement / portfolio investment /
  loan mortgage credit / interest rate / payment invoice / weather forecast temperature climate rain /
  temperature heat / place location venue spot / location address position coordinate /
  coordinate latitude longitude geographic gps / geocode address coordinate /
  nearby near close around surrounding / nearby radius vicinity / route direction navigation path /
  distance length far / map geographic / city town / country nation / region area zone /
  area neighborhood district / street road / building property house home / property estate apartment /
  rent rental lease / car vehicle automobile auto / drive driving car / bike bicycle cycling /
  walk walking foot / traffic congestion / parking park / charge charging ev / train rail railway /
  train ticket / flight plane airline airport air / trip travel journey tour vacation /
  travel commute / hotel accommodation lodging stay hostel / restaurant dining eatery /
  food meal dish cuisine / recipe cook cooking dish / ingredient food / drink beverage / grocery food /
  attraction sight landmark / museum gallery / movie film cinema / show series tv / actor cast /
  video clip film movie / video youtube / music song audio track / song lyric / audio sound /
  sound voice / album record / artist musician singer / playlist music / concert event /
  podcast episode / game play gaming / game video / sport match / match game fixture / team club /
  player athlete / score result point / book novel / book author / author writer / library book /
  news headline article / article post blog / article paper / story article / newspaper journal /
  paper publication research study scholar academic / paper arxiv / citation reference /
  research investigation / science scientific / wikipedia encyclopedia wiki / knowledge information /
  fact trivia / definition meaning dictionary / quote quotation / joke humor / social media /
  tweet twitter post / follower fan / video short / trend trending popular hot /
  medical health clinical / disease illness condition / drug medication medicine / patient case /
  doctor physician / trial study / gene genome genetic dna / protein molecule / sequence dna /
  chemical compound molecule / symptom sign / exercise workout fitness / sleep rest /
  school education university / student pupil / teacher instructor / course class lesson / exam test /
  law legal / court case / government public / election vote / tax irs /
  population census demographic / plant flower / animal pet / dog pet / baby child kid / woman female /
  man male / birthday birth / gift present / holiday vacation / wedding marriage /
  horoscope zodiac astrology fortune divination tarot / math mathematical / equation formula /
  matrix linear / mean average / variance deviation / probability chance / statistic data /
  dataset data / random lottery / unit measure / convert unit / qr barcode code / 3d mesh / cad model /
  camera photo / light lamp / device appliance / thermostat temperature / lock secure /
  sensor reading / robot automation / satellite space / star astronomy / earthquake seismic /
  air pollution / water sea ocean / ship vessel / energy power electricity / oil gas fuel /
  farm agriculture crop / get obtain acquire collect gather pull / access open read / access get /
  see view show / check see look / identify detect recognize find / detect discover /
  determine calculate find / design create draw / prepare create make / construct build create /
  develop build create / put add set place / perform conduct run execute / process handle transform /
  review read check / track monitor follow / print show display output / present show / apply set use /
  adjust change modify set / expand extend grow / shrink reduce compress / increase raise /
  decrease reduce lower / organize sort group / group cluster / classify categorize label /
  match compare fit / simulate model / optimize improve enhance / generate build / enter insert type /
  erase clear / find get / search get / list get / query get / lookup get / return get /
  request get ask / retrieve list / find list / content text body / content page article /
  text string content / information data detail / data information / profile overview biography /
  overview introduction / performance statistic metric / figure chart number / level rank tier /
  list collection set / popular top best / best top / famous popular / site platform website /
  near closest nearest / global world international / annual yearly year / daily day / weekly week /
  monthly month / hourly hour / duration length time / period range interval / start begin from /
  end finish until / size dimension / height elevation / width size / position place location /
  shape figure / background backdrop / border frame / button control / screen display / keyboard key /
  mouse cursor / window tab / menu list / step action / action operation / goal target objective /
  rule policy / reason cause / result outcome answer / question query ask / problem issue question /
  answer solution / option choice / opinion review rating / rating score review / feedback review /
  value amount number / quantity amount count / percent percentage rate / average mean /
  maximum max highest / minimum min lowest / sum addition / subtract minus difference /
  multiply product times / divide quotient / power exponent / root sqrt / hospital clinic /
  theater theatre cinema / seat place / passenger traveler rider / taxi cab ride uber lyft /
  bus coach transit / subway metro / station stop / departure leave / arrival arrive /
  luggage baggage / breakfast meal / lunch meal / dinner meal / vegetarian vegan /
  cafe coffee restaurant / bar pub / show concert performance / festival event / play theater /
  genre style / singer vocalist artist / band group / instrument music / hobby interest /
  timer countdown / phone telephone mobile call / device phone / laptop computer /
  app application software program / software program / website app / bedroom room / flat apartment /
  landlord owner / buyer customer / seller vendor merchant / supplier vendor /
  manufacturer brand maker / model version / warranty guarantee / refund return / complaint issue /
  ticket case / agent representative / manager boss / department team / wallet balance account /
  transfer send move pay / withdraw cash / deposit pay / debt loan / insurance policy coverage`;
