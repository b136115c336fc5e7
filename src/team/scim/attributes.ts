/** One attribute of a resource, as RFC 7643 describes it and `/Schemas` shows it. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly isMany?: true;
  readonly isRequired?: true;
  readonly isExact?: true;
  readonly isUnique?: true;
  /** What clients may do with it. Default: read and write. */
  readonly mutability?: 'readOnly' | 'immutable';
  /** Of a complex one. */
  readonly parts?: readonly Attribute[];
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const text = (name: string, more: Partial<Attribute> = {}): Attribute => ({ name, type: 'string', ...more });
const exact = (name: string, more: Partial<Attribute> = {}): Attribute =>
  text(name, { isExact: true, ...more });
const link = (name: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'reference',
  isExact: true,
  ...more,
});
const many = (name: string, parts: readonly Attribute[], more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'complex',
  isMany: true,
  parts,
  ...more,
});

const KIND = [text('display'), text('type'), { name: 'primary', type: 'boolean' }] as const;
const LABELED: readonly Attribute[] = [text('value'), ...KIND];
const READ_ONLY = { mutability: 'readOnly' } as const;
const IMMUTABLE = { mutability: 'immutable' } as const;

const NAME_PARTS = [
  'formatted',
  'familyName',
  'givenName',
  'middleName',
  'honorificPrefix',
  'honorificSuffix',
];
const ADDRESS_PARTS = ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'];

const USER_ATTRIBUTES: readonly Attribute[] = [
  text('userName', { isRequired: true, isUnique: true }),
  { name: 'name', type: 'complex', parts: NAME_PARTS.map((name) => text(name)) },
  text('displayName'),
  text('nickName'),
  link('profileUrl'),
  text('title'),
  text('userType'),
  text('preferredLanguage'),
  text('locale'),
  text('timezone'),
  { name: 'active', type: 'boolean' },
  many('emails', LABELED),
  many('phoneNumbers', LABELED),
  many('ims', LABELED),
  many('photos', [link('value'), ...KIND]),
  many('addresses', [
    ...ADDRESS_PARTS.map((name) => text(name)),
    text('type'),
    { name: 'primary', type: 'boolean' },
  ]),
  many('entitlements', LABELED),
  many('groups', [exact('value', READ_ONLY), link('$ref', READ_ONLY), text('display', READ_ONLY)], READ_ONLY),
  // The team's own role: no directory makes somebody an admin.
  many('roles', [text('value', READ_ONLY)], READ_ONLY),
];

const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  text('employeeNumber'),
  text('costCenter'),
  text('organization'),
  text('division'),
  text('department'),
  { name: 'manager', type: 'complex', parts: [exact('value'), link('$ref'), text('displayName', READ_ONLY)] },
];

const GROUP_ATTRIBUTES: readonly Attribute[] = [
  text('displayName', { isRequired: true, isUnique: true }),
  many('members', [
    exact('value', IMMUTABLE),
    link('$ref', IMMUTABLE),
    text('type', IMMUTABLE),
    text('display', READ_ONLY),
  ]),
];

const META: Attribute = {
  name: 'meta',
  type: 'complex',
  ...READ_ONLY,
  parts: [
    exact('resourceType', READ_ONLY),
    { name: 'created', type: 'dateTime', ...READ_ONLY },
    { name: 'lastModified', type: 'dateTime', ...READ_ONLY },
    link('location', READ_ONLY),
    exact('version', READ_ONLY),
  ],
};

const COMMON: readonly Attribute[] = [
  link('schemas', { isMany: true, ...READ_ONLY }),
  exact('id', READ_ONLY),
  exact('externalId'),
  META,
];

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

export const SCHEMAS: readonly Schema[] = [
  { id: USER, name: 'User', description: 'A person of the team', attributes: USER_ATTRIBUTES },
  { id: GROUP, name: 'Group', description: 'A group of the team', attributes: GROUP_ATTRIBUTES },
  {
    id: ENTERPRISE,
    name: 'EnterpriseUser',
    description: 'What a company knows of a person',
    attributes: ENTERPRISE_ATTRIBUTES,
  },
];

export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly place: 'Users' | 'Groups';
  readonly schema: string;
  readonly extensions: readonly string[];
  /** At the top of a resource; an extension is a complex attribute with its URN for a name. */
  readonly attributes: readonly Attribute[];
}

export const USERS: ResourceType = {
  name: 'User',
  place: 'Users',
  schema: USER,
  extensions: [ENTERPRISE],
  attributes: [
    ...COMMON,
    ...USER_ATTRIBUTES,
    { name: ENTERPRISE, type: 'complex', parts: ENTERPRISE_ATTRIBUTES },
  ],
};

export const GROUPS: ResourceType = {
  name: 'Group',
  place: 'Groups',
  schema: GROUP,
  extensions: [],
  attributes: [...COMMON, ...GROUP_ATTRIBUTES],
};

/** Names count in any case. */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const folded = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === folded);
}

/** From the top of a resource down: one attribute, an extension and one of its, or one and a part of it. */
export type Steps = readonly Attribute[];

/** Undefined for what no resource of this type has. */
export function stepsTo(path: string, type: ResourceType): Steps | undefined {
  const [extension, rest] = withoutSchema(path, type);
  const start = extension === undefined ? [] : [extension];
  if (rest === '') return extension && start;
  let attributes = extension ? (extension.parts ?? []) : type.attributes;
  const steps: Attribute[] = [...start];
  for (const name of rest.split('.')) {
    const found = attributeNamed(attributes, name);
    if (!found) return undefined;
    steps.push(found);
    attributes = found.parts ?? [];
  }
  return steps;
}

/** `urn:…:User:userName` is `userName`; URNs of extensions stay a step. */
function withoutSchema(path: string, type: ResourceType): readonly [Attribute | undefined, string] {
  const folded = path.toLowerCase();
  const own = `${type.schema.toLowerCase()}:`;
  if (folded.startsWith(own)) return [undefined, path.slice(own.length)];
  for (const urn of type.extensions) {
    const extension = attributeNamed(type.attributes, urn);
    if (folded === urn.toLowerCase()) return [extension, ''];
    if (folded.startsWith(`${urn.toLowerCase()}:`)) return [extension, path.slice(urn.length + 1)];
  }
  return [undefined, path];
}
