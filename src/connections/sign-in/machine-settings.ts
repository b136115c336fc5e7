import { z } from 'zod';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';

/**
 * How a program gets in without a person, in `config.oauth` of a definition:
 *
 *     { "grant": "client_credentials", "issuer": "https://login.example.com", "clientId": "me",
 *       "clientSecret": "${vault:crm/secret}" }           or "privateKey": "${file:~/key.pem}"
 *     { "grant": "jwt_bearer", …, "assertion": "${file:/var/run/token}" }
 *     { "grant": "cross_app_access", …, "identityProvider": { "issuer": "https://id.example.com",
 *       "clientId": "me-there", "idToken": "${vault:crm/id-token}" } }
 *
 * `issuer` is the only authorization server that ever sees the credentials, whatever the MCP server
 * says. Secrets are references: a value written out is refused.
 */
export type MachineSettings = z.infer<typeof settings>;

/** Undefined where a person signs in. */
export function machineSettingsOf(
  server: string,
  config: Readonly<Record<string, Json>>,
): MachineSettings | undefined {
  const given = Object.hasOwn(config, 'oauth') ? config['oauth'] : undefined;
  if (given === undefined || given === null) return undefined;
  const parsed = settings.safeParse(given);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const where = ['config.oauth', ...(first?.path ?? [])].join('.');
  throw new PlugError('bad_config', `${where} of ${server} cannot be used: ${first?.message ?? 'unknown'}.`, {
    owner: 'you',
    server,
    remedy: 'Name grant, issuer, clientId and a secret such as "${vault:NAME}".',
  });
}

/** The references among the settings, by the name under which their values come back. */
export function referencesOf(given: MachineSettings): Readonly<Record<string, string>> {
  const { clientSecret, privateKey, assertion, identityProvider: idp } = given;
  const ofProvider = { idToken: idp?.idToken, idpClientSecret: idp?.clientSecret };
  return defined({ clientSecret, privateKey, assertion, ...ofProvider });
}

const text = z.string().min(1).max(2_048);
const reference = z
  .string()
  .max(2_048)
  .regex(/^\$\{[^}]+\}$/, 'a secret must be a reference such as ${vault:NAME}, never the value itself');

const settings = z
  .strictObject({
    grant: z.enum(['client_credentials', 'jwt_bearer', 'cross_app_access']),
    issuer: text,
    clientId: text,
    clientSecret: reference.optional(),
    privateKey: reference.optional(),
    /** How the private key signs. */
    algorithm: z.enum(['ES256', 'ES384', 'RS256', 'RS384', 'RS512', 'PS256']).default('ES256'),
    assertion: reference.optional(),
    scope: text.optional(),
    identityProvider: z
      .strictObject({
        issuer: text,
        /** For one that does not describe itself as the standards want. */
        tokenEndpoint: text.optional(),
        clientId: text,
        clientSecret: reference.optional(),
        idToken: reference,
      })
      .optional(),
  })
  .superRefine((given, check) => {
    const lacks = (path: string): void =>
      check.addIssue({ code: 'custom', path: [path], message: `${given.grant} needs it` });
    if (given.grant === 'client_credentials' && !given.clientSecret && !given.privateKey) {
      lacks('clientSecret');
    }
    if (given.grant === 'jwt_bearer' && !given.assertion) lacks('assertion');
    if (given.grant === 'cross_app_access' && !given.identityProvider) lacks('identityProvider');
  });
