import { expect, test } from 'vitest';
import { signInAddress } from './sign-in-address.ts';

const GOOGLE =
  'https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&response_type=code&client_id=1-x.apps.googleusercontent.com&redirect_uri=http%3A%2F%2Flocalhost%3A3000';

test('the address of a sign-in is found as servers print it', () => {
  const said = (...lines: readonly string[]): string | undefined => signInAddress(lines);
  expect(said('Authorize this app by visiting this url:', GOOGLE)).toBe(GOOGLE);
  expect(said(`Opening browser: ${GOOGLE}.`)).toBe(GOOGLE);
  expect(said('To sign in, open https://microsoft.com/devicelogin and enter the code ABCD')).toBe(
    'https://microsoft.com/devicelogin',
  );
  expect(said(`old ${GOOGLE}`, `new ${GOOGLE}&state=2`)).toBe(`${GOOGLE}&state=2`);
});

test('other addresses are no sign-in', () => {
  for (const line of [
    'Server running on http://localhost:3000/mcp',
    'Docs: https://example.com/docs',
    'GET https://api.example.com/v1/items 200',
    'Sign in at http://example.com without TLS',
  ])
    expect(signInAddress(['Starting', line])).toBeUndefined();
});
