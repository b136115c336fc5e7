/** Texts without a server that are known for what they are. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*(?:\$ )?(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|link)\b/m,
    'This installs a package; it starts no server. Paste the command that starts it, such as “npx -y NAME”.',
  ],
  [
    /^\s*(?:\$ )?(?:pip3?|uv pip|pipx|uv tool) install\b/m,
    'This installs a package; it starts no server. Paste the command that starts it, such as “uvx NAME”.',
  ],
  [
    /^\s*(?:\$ )?(?:brew|apt|apt-get|cargo|go|winget|choco) (?:install|get)\b/m,
    'This installs a program; it starts no server. Paste the command that starts it.',
  ],
  [
    /^\s*(?:\$ )?docker run\b[^\n]*\s-[a-z]*d/m,
    'This container runs in the background (-d). Paste the address of its MCP endpoint, or its “docker run -i” command.',
  ],
  [
    /^\s*(?:\$ )?docker (?:build|pull|compose|ps|push)\b/m,
    'This Docker command starts no server. Paste the “docker run -i” command.',
  ],
  [
    /^\s*(?:\$ )?(?:curl|wget)\s/m,
    'This fetches an address; it is no server. Paste the address of the MCP endpoint itself.',
  ],
  [
    /^\s*(?:FROM \S+|# syntax=docker)/m,
    'This is a Dockerfile, not a server. Paste the “docker run -i” command of its image.',
  ],
  [
    /^\s*(?:\$ )?(?:cd|ls|mkdir|make|npm run|npm start|export|sudo)\b/m,
    'This is a shell command that starts no MCP server. Paste the command or the config that the README shows for MCP clients.',
  ],
  [
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----/m,
    'This is a private key, not a server. Keep it to yourself; paste the server first, and it will ask for the key.',
  ],
  [
    /^(?:sk|ghp|gho|xox[bp]|pk|AKIA|glpat)[-_A-Za-z0-9]{16,}\s*$/m,
    'This looks like a secret, not a server. Paste the server first, and it will ask for the key.',
  ],
];

export function describeUnread(text: string): string | undefined {
  const start = text.slice(0, 20_000);
  return KNOWN.find(([pattern]) => pattern.test(start))?.[1];
}
