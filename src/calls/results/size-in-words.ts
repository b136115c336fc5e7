/** “812 bytes”, “4.2 KB”, “20 MB”. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} bytes`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${unit}`;
}
