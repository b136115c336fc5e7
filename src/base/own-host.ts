/** Against DNS rebinding: a web page can make its own name mean 127.0.0.1, and then only Host tells. */
export function isOwnHost(host: string | undefined, port: number): boolean {
  const given = host?.toLowerCase();
  return given !== undefined && OUR_NAMES.some((name) => given === `${name}:${port}`);
}

const OUR_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export function portOf(url: string): number {
  return Number(new URL(url).port || 80);
}
