/**
 * Whether a request was sent to this machine under a name of its own. A web page can let a name of its
 * own mean 127.0.0.1 (DNS rebinding): then all that tells it from us is the name that stands in Host.
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  const given = host?.toLowerCase();
  return given !== undefined && OUR_NAMES.some((name) => given === `${name}:${port}`);
}

const OUR_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** The port that an address of ours names. */
export function portOf(url: string): number {
  return Number(new URL(url).port || HTTP_PORT);
}

const HTTP_PORT = 80;
