/** Variables that are always there: a folder, a home, a user. Nobody fills these in. */
export const KNOWN_VARIABLES =
  /^(workspaceFolder(Basename)?|workspaceRoot|userHome|HOME|PWD|USER|PATH|TMPDIR|TEMP|SHELL|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMFILES|pathSeparator|__dirname|cwd|file|fileDirname|LIBRECHAT_USER_\w+|CLAUDE_PLUGIN_ROOT|extensionPath)$/;

/** Whether a word is example text: `your-key`, `sk-...`, `xxxx`, `REPLACE_ME`, in several languages. */
export function isBlankWord(word: string): boolean {
  // No placeholder is long; a long value must not make the patterns slow.
  const start = word.slice(0, 200);
  return RULES.some((rule) => rule.test(start));
}

const RULES: readonly RegExp[] = [
  // your-key, YOUR_KEY, ghp_your_token, yourdomain, YourName, but not “yours”.
  /(?:^|[^\p{L}])your(?:[^\p{L}]|$|[a-z]{3,}|[A-Z])/iu,
  /^(?:paste|put|insert|enter|add|replace|change|fill)[-_ ]?(?:.*[-_ ])?(?:here|this|me|with[-_ ].*|in|it|your[-_ ].*|token|key)$/i,
  /^(?:REPLACE|INSERT|ENTER|PASTE)_[A-Z0-9_]+$/,
  /[-_ ]here$/i,
  /^(?:change[-_]?me|replace[-_]?me|placeholder|todo|tbd|fixme|xyz)$/i,
  /[xX]{4,}$/,
  /^[xX*•]{3,}$/,
  /[-_][xX]{3,}(?:[-_]|$)/,
  /\*{3,}/,
  /(?:\.{3}|…)$/,
  /^(?:url|link|path|address|host)[-_]?(?:to|of|for)[-_]/i,
  /^(?:hosted|example|custom|target)[-_](?:domain|host|url)$/i,
  // The same in other languages: “your” before a noun, or glued to it.
  /^(?:votre|vos|tu|su|dein|deine|ihr|ihre|seu|sua|il[-_]tuo|la[-_]tua|twoj|twój|ваш|ваша|вашего|твой)[-_ ]/iu,
  /(?:你的|您的|あなたの|당신의|사용자)/u,
];
