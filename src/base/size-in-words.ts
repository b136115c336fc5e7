/** “12 B”, “3.4 KB”, “84 MB”. */
export function sizeInWords(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  for (; amount >= 1024 && unit < 3; unit += 1) amount /= 1024;
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${['B', 'KB', 'MB', 'GB'][unit]}`;
}
