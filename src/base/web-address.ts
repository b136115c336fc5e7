/** Accepts https, or http on this machine, without userinfo, which could pass for the host. */
export function webAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > ADDRESS_CHARS_MAX || !URL.canParse(text)) return undefined;
  const { protocol, hostname, username, password, href } = new URL(text);
  if (username !== '' || password !== '' || hostname === '') return undefined;
  const allowed = protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
  return allowed ? href : undefined;
}

const ADDRESS_CHARS_MAX = 8_000;

/** As `URL` writes hosts: `0x7f.1` is 127.0.0.1 by then. */
function isThisMachine(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
