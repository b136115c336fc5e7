/** Hiding such a password everywhere would make ordinary text unreadable; beside its name it is hidden. */
export function isCommonWord(value: string): boolean {
  return WORDS.has(value.trim().toLowerCase());
}

const WORDS: ReadonlySet<string> = new Set(
  `access account active address administrator anonymous application apikey authorization basic bearer
  browser change changeme client cluster command config configuration connection console content context
  custom database default delete demo development device disable disabled docker document dynamic enable
  enabled engine environment error example external false filesystem folder friend function gateway general
  global header hidden identity import inherit inline internal issuer kubernetes letmein library local
  localhost machine manual master memory message method mongodb monitor network nobody normal notset null
  object offline online option optional oracle package packages parameter password passwd passphrase path
  personal place placeholder plugin postgres postgresql prefix primary private process production profile
  project prompt properties property protocol provider public python query readonly redis region registry
  remote replace repository request required resource response result root sample sandbox schema search
  secret secrets security server servers service session setting settings shared simple single source
  staging standard static status storage string system target template testing tester timeout token tokens
  transport undefined unknown update upstream username version visitor welcome window workspace`.split(/\s+/),
);
