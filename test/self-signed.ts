import { createSign, generateKeyPairSync } from 'node:crypto';

/**
 * A certificate for 127.0.0.1, and for a name, that is its own authority, written out in DER (X.690,
 * RFC 5280).
 */
export function selfSigned(
  host = 'localhost.test',
  daysLeft = 1,
): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaSha256 = der(0x30, oid('2a8648ce3d040302'));
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from('test')))));
  const day = 24 * 60 * 60 * 1000;
  const time = (at: number): Buffer =>
    der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
  const extension = (id: string, value: Buffer): Buffer => der(0x30, oid(id), der(0x04, value));
  const tbs = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaSha256,
    name,
    der(0x30, time(Date.now() - 3 * day), time(Date.now() + daysLeft * day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(
        0x30,
        extension('551d13', der(0x30, der(0x01, Buffer.from([0xff])))),
        extension('551d11', der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from(host)))),
      ),
    ),
  );
  const signature = createSign('sha256').update(tbs).sign(privateKey);
  const whole = der(0x30, tbs, ecdsaSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}
