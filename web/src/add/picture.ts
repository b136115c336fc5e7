/** The first picture among what was pasted or dropped. */
export function imageIn(data: DataTransfer | null): File | undefined {
  return [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'));
}

/** The picture in base64, as PNG or JPEG; one that is too large to send is scaled down first. */
export async function toBase64(picture: Blob): Promise<string> {
  const isReadable = picture.type === 'image/png' || picture.type === 'image/jpeg';
  const fits = isReadable && picture.size <= BYTES_MAX ? picture : await scaled(picture);
  const bytes = new Uint8Array(await fits.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCodePoint(...bytes.subarray(at, at + CHUNK));
  }
  return window.btoa(text);
}

const BYTES_MAX = 3_000_000;
const CHUNK = 8_192;
const PIXELS_MAX = 4_000_000;

async function scaled(picture: Blob): Promise<Blob> {
  const image = await createImageBitmap(picture);
  let ratio = Math.min(1, Math.sqrt(PIXELS_MAX / (image.width * image.height)));
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const canvas = new OffscreenCanvas(Math.ceil(image.width * ratio), Math.ceil(image.height * ratio));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const smaller = await canvas.convertToBlob({
      type: attempt === 0 ? 'image/png' : 'image/jpeg',
      quality: 0.9,
    });
    if (smaller.size <= BYTES_MAX) return smaller;
    if (attempt > 0) ratio /= 1.5;
  }
  throw new Error('The picture is too large to be read. Cut out the part with the configuration.');
}
