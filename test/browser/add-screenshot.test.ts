import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { patience } from '../suite/patience.ts';
import { openAdd, type AddWorld } from './add-world.ts';

const LONG_MS = 120_000;

const CONFIG = `{
  "mcpServers": {
    "weather": {
      "command": "npx",
      "args": ["-y", "acme-weather"]
    }
  }
}`;

/** A picture of a configuration, as somebody makes one of an editor. */
async function pictureOf({ context }: AddWorld, text: string): Promise<string> {
  const editor = await context.newPage();
  await editor.setViewportSize({ width: 640, height: 260 });
  await editor.setContent('<pre style="font: 16px/24px monospace; margin: 16px"></pre>');
  await editor.locator('pre').evaluate((pre, words) => (pre.textContent = words), text);
  const png = await editor.screenshot({ type: 'png' });
  await editor.close();
  return png.toString('base64');
}

verifies(
  ['W2', 'S18'],
  'a screenshot that is pasted or dropped is read on this machine and goes on like a paste',
  async () => {
    const world = await openAdd();
    const { page, box, plan } = world;
    const picture = await pictureOf(world, CONFIG);
    for (const way of ['paste', 'drop'] as const) {
      await box.fill('');
      await box.evaluate(
        (target, given) => {
          const bytes = Uint8Array.from(atob(given.picture), (letter) => letter.codePointAt(0) ?? 0);
          const data = new DataTransfer();
          data.items.add(new File([bytes], 'config.png', { type: 'image/png' }));
          const options = { bubbles: true, cancelable: true };
          target.dispatchEvent(
            given.way === 'paste'
              ? new ClipboardEvent('paste', { ...options, clipboardData: data })
              : new DragEvent('drop', { ...options, dataTransfer: data }),
          );
        },
        { picture, way },
      );
      await expect.poll(() => box.inputValue(), { timeout: patience(60_000) }).toContain('acme-weather');
    }
    await page.getByText('mcp.json (mcpServers), 1 server').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await plan('weather')
      .getByText(/Runs acme-weather@1\.2\.3/)
      .waitFor();
    expect(JSON.parse(await box.inputValue())).toMatchObject({
      mcpServers: { weather: { command: 'npx', args: ['-y', 'acme-weather'] } },
    });
  },
  LONG_MS,
);

verifies(
  ['W2', 'S18'],
  'a picture that is too large to send is scaled down first, and one without a text is refused with a sentence',
  async () => {
    const { page, box } = await openAdd({
      mayComplain: /Failed to load resource/,
      hub: { limits: { screenshotTimeoutMs: patience(60_000) } },
    });
    const sent: number[] = [];
    page.on('request', (request) => {
      if (request.url().includes('readImage') || request.postData()?.includes('"image"')) {
        sent.push(request.postData()?.length ?? 0);
      }
    });
    // Noise does not compress: the picture is far over the limit.
    const noise = await box.evaluate(async (target) => {
      const canvas = new OffscreenCanvas(2_400, 1_600);
      const pen = canvas.getContext('2d');
      const pixels = pen?.createImageData(canvas.width, canvas.height);
      if (!pen || !pixels) throw new Error('There is no canvas.');
      for (let at = 0; at < pixels.data.length; at += 65_536) {
        crypto.getRandomValues(
          new Uint8Array(pixels.data.buffer, at, Math.min(65_536, pixels.data.length - at)),
        );
      }
      pen.putImageData(pixels, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      const data = new DataTransfer();
      data.items.add(new File([blob], 'noise.png', { type: 'image/png' }));
      target.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      );
      return blob.size;
    });
    expect(noise).toBeGreaterThan(4 * 1024 * 1024);
    await page.getByRole('alert').waitFor({ timeout: patience(60_000) });
    // It was the reading that failed, not the sending.
    expect(await page.getByRole('alert').innerText()).toContain('The picture shows far more than text');
    expect(sent).toHaveLength(1);
    expect(sent[0]).toBeLessThan(4.1 * 1024 * 1024);
    expect(await box.inputValue()).toBe('');
  },
  LONG_MS,
);
