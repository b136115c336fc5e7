import { hash } from 'node:crypto';
import { teamLimits } from './limits.ts';

export function setUpPage(): Response {
  const fields = `${NAME}${EMAIL}${NEW_PASSWORD}`;
  return form('Set up the team', 'You will be its owner.', fields, 'Create team');
}

export function joinPage(): Response {
  const words = 'Choose a name and a password. If your team has single sign-on, sign in with that instead.';
  return form('Join the team', words, `${NAME}${NEW_PASSWORD}`, 'Join');
}

export function resetPage(): Response {
  const words = 'You will be signed out everywhere.';
  return form('Choose a new password', words, NEW_PASSWORD, 'Set password');
}

export interface SignInPageOptions {
  /** The name of the identity provider, if there is one. */
  readonly provider?: string | undefined;
  readonly failed?: boolean;
}

/** The library takes JSON alone, so these pages have a script. */
export function signInPage({ provider, failed = false }: SignInPageOptions): Response {
  const says = failed ? 'Sign-in failed. Your account may not be a member of this team.' : '';
  const single =
    provider === undefined ? '' : `<p><button data-sso>Continue with ${escaped(provider)}</button></p>`;
  const body = `${single}<form data-password>${EMAIL}${PASSWORD}<p><button>Sign in</button></p></form>
<p id="says" role="alert">${says}</p>`;
  return page('Sign in', '', body, SIGN_IN);
}

export interface ConsentPageOptions {
  /** What the app calls itself. */
  readonly name: string;
  /** The domain that vouches for that name. */
  readonly from: string | undefined;
  /** Where the browser goes afterwards. */
  readonly target: string;
  readonly email: string;
}

export function consentPage({ name, from, target, email }: ConsentPageOptions): Response {
  const app = name.trim() === '' ? 'An app without a name' : name.slice(0, NAME_SHOWN_MAX);
  const source = from === undefined ? 'The name is what the app calls itself.' : `From ${from}.`;
  const body = `<p><strong>${escaped(app)}</strong> asks to use your servers and tools in this team.
Calls still need your approval where your rules say so.</p>
<p>${escaped(source)} It continues at ${escaped(target)}. You are ${escaped(email)}.</p>
<p><button data-accept>Allow</button> <button data-deny>Cancel</button></p>
<p id="says" role="alert"></p>`;
  return page('Connect an app', '', body, CONSENT);
}

export function messagePage(title: string, words: string, status = 200): Response {
  return page(title, words, '', undefined, status);
}

const NAME_SHOWN_MAX = 80;

const field = (name: string, label: string, attributes: string): string =>
  `<label>${label} <input name="${name}" required ${attributes}></label>`;
const NAME = field('name', 'Name', `maxlength="${teamLimits.nameCharsMax}" autocomplete="name"`);
const EMAIL = field('email', 'Email', 'type="email" maxlength="256" autocomplete="username"');
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

/** The query of an app's request comes back signed: only the library can read it. */
const COMMON = `
const asked = location.search.slice(1);
const oauth = new URLSearchParams(asked).has('sig') ? { oauth_query: asked } : {};
const say = (text) => { document.getElementById('says').textContent = text; };
const send = async (path, body) => {
  const answer = await fetch('/api/auth' + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...oauth }),
  });
  return answer.ok ? await answer.json() : undefined;
};
const follow = (url) => {
  if (!/^(javascript|data|vbscript|blob):/i.test(url)) location.assign(url);
};
`;

const SIGN_IN = `${COMMON}
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(event.target));
  const answer = await send('/sign-in/email', { email, password });
  if (!answer) return say('Wrong email or password, or too many attempts. Wait a minute and try again.');
  follow(oauth.oauth_query && answer.url ? answer.url : '/');
});
document.querySelector('[data-sso]')?.addEventListener('click', async () => {
  const answer = await send('/sign-in/social', { provider: 'sso', callbackURL: '/', errorCallbackURL: '/sign-in' });
  if (!answer?.url) return say('The identity provider can’t be reached. Try again later.');
  follow(answer.url);
});
`;

const CONSENT = `${COMMON}
const answerWith = async (accept) => {
  const answer = await send('/oauth2/consent', { accept });
  if (!answer?.url) return say('This request has expired. Start again from the app.');
  follow(answer.url);
};
document.querySelector('[data-accept]').addEventListener('click', () => answerWith(true));
document.querySelector('[data-deny]').addEventListener('click', () => answerWith(false));
`;

function page(title: string, words: string, body: string, script?: string, status = 200): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Plugboard</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${escaped(words)}</p>${body}</main>
${script === undefined ? '' : `<script>${script}</script>`}</body></html>`;
  const scripts = script === undefined ? "'none'" : `'${sourceOf(script)}'`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // The link in the address is a secret; the form's own origin must still be told.
      'referrer-policy': 'same-origin',
      'content-security-policy': `default-src 'none'; style-src '${sourceOf(STYLE)}'; script-src ${scripts}; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}

function sourceOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
