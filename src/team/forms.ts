import { hash } from 'node:crypto';
import { teamLimits } from './limits.ts';

export function setUpPage(): Response {
  return form('Set up the team', 'You will be its owner.', `${NAME}${EMAIL}${NEW_PASSWORD}`, 'Make the team');
}

export function joinPage(): Response {
  return form('Join the team', 'Choose a name and a password.', `${NAME}${NEW_PASSWORD}`, 'Join');
}

/** The library takes JSON alone, so that this page has the one script of the forms. */
export function signInPage(): Response {
  const body = `<form id="form">${EMAIL}${PASSWORD}<p><button>Sign in</button></p><p id="says" role="alert"></p></form>
<script>${SCRIPT}</script>`;
  return page('Sign in', '', body);
}

const field = (name: string, label: string, attributes: string): string =>
  `<label>${label} <input name="${name}" required ${attributes}></label>`;
const NAME = field('name', 'Name', `maxlength="${teamLimits.nameCharsMax}" autocomplete="name"`);
const EMAIL = field('email', 'E-mail', 'type="email" maxlength="256" autocomplete="username"');
const PASSWORD = field('password', 'Password', 'type="password" autocomplete="current-password"');
const NEW_PASSWORD = field(
  'password',
  `Password, at least ${teamLimits.passwordCharsMin} characters`,
  `type="password" minlength="${teamLimits.passwordCharsMin}" maxlength="${teamLimits.passwordCharsMax}" autocomplete="new-password"`,
);

function form(title: string, words: string, fields: string, button: string): Response {
  return page(title, words, `<form method="post">${fields}<p><button>${button}</button></p></form>`);
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
label { display: block; margin-top: 1rem; }
input { width: 100%; font: inherit; padding: .4rem; box-sizing: border-box; }
button { font: inherit; padding: .5rem 1rem; }
`;

const SCRIPT = `
document.getElementById('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(event.target));
  const says = document.getElementById('says');
  const answer = await fetch('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  says.textContent = answer.ok ? 'You are signed in.' : 'The e-mail or the password is not right, or there were too many tries.';
});
`;

function page(title: string, words: string, body: string): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Plugboard</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${words}</p>${body}</main></body></html>`;
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // The link in the address is a secret; the form's own origin must still be told.
      'referrer-policy': 'same-origin',
      'content-security-policy': `default-src 'none'; style-src '${sourceOf(STYLE)}'; script-src '${sourceOf(SCRIPT)}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}

function sourceOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
